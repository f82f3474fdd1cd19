/** Everything that a tested VASP sends, as data: the page makes its forms from it. */

export type FieldName =
  | 'symbol'
  | 'user'
  | 'amount'
  | 'account'
  | 'verificationUuid'
  | 'txHash'
  | 'result'
  | 'reason'
  | 'message'
  | 'omitTxReport';
export type Values = Record<FieldName | 'vaspId' | 'address', string>;

export interface SendAction {
  /** The operation, as the API document names it. */
  id: string;
  group: 'enclave' | 'robot' | 'sandbox';
  title: string;
  meaning: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  fields: readonly FieldName[];
  /** Which verifications it can be about; the newest of them is filled in. */
  about?: Readonly<Record<string, string>>;
  /** Whether the API has the whole body ready. */
  isReady?: true;
  body?(values: Values): object;
  query?(values: Values): Record<string, string>;
}

const ENCLAVE = '/v1';
const ROBOT = '/vega/robot/v1.0';
/** I pay, the robot is paid; and the other way round. */
const MY_WITHDRAWAL = { role: 'originating', result: 'VERIFIED' };
const MY_DEPOSIT = { role: 'beneficiary', result: 'VERIFIED' };

const onlyUuid = ({ verificationUuid }: Values) => ({ verificationUuid });
const report = ({ verificationUuid, txHash }: Values) => ({ verificationUuid, txHash });
const errorReport = ({ verificationUuid, result, reason, message }: Values) => ({
  verificationUuid,
  result,
  reason,
  message,
});
const PERSON: readonly FieldName[] = ['symbol', 'user', 'amount'];
const ERROR: readonly FieldName[] = ['verificationUuid', 'result', 'reason', 'message'];

export const ACTIONS: readonly SendAction[] = [
  {
    id: 'verify-user',
    group: 'enclave',
    title: 'Verify user',
    meaning: 'May my customer pay this user of the robot? The result comes by callback.',
    method: 'POST',
    path: `${ENCLAVE}/verifications`,
    fields: PERSON,
    isReady: true,
  },
  {
    id: 'verify-account',
    group: 'enclave',
    title: 'Verify account',
    meaning: 'Does this address belong to the robot, and to this user?',
    method: 'POST',
    path: `${ENCLAVE}/verifications/account`,
    fields: ['symbol', 'user'],
    isReady: true,
  },
  {
    id: 'report-transaction',
    group: 'enclave',
    title: 'Report a transaction',
    meaning: 'Tells the robot the hash of my payment.',
    method: 'POST',
    path: `${ENCLAVE}/verifications/tx`,
    fields: ['verificationUuid', 'txHash'],
    about: MY_WITHDRAWAL,
    body: report,
  },
  {
    id: 'report-error',
    group: 'enclave',
    title: 'Report an error',
    meaning: 'Gives the withdrawal up. The result becomes ERROR on both sides.',
    method: 'POST',
    path: `${ENCLAVE}/verifications/error`,
    fields: ERROR,
    about: MY_WITHDRAWAL,
    body: errorReport,
  },
  {
    id: 'inquire-transaction',
    group: 'enclave',
    title: 'Ask for the transaction status',
    meaning: 'Where is the payment of the robot to my customer?',
    method: 'POST',
    path: `${ENCLAVE}/verifications/tx/inquiry`,
    fields: ['verificationUuid'],
    about: MY_DEPOSIT,
    body: onlyUuid,
  },
  {
    id: 'assess-sanction',
    group: 'enclave',
    title: 'Screen the address for sanctions',
    meaning: 'Provider A, answers at once.',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerA-sanction`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  {
    id: 'assess-kyt',
    group: 'enclave',
    title: 'Monitor address or transaction',
    meaning: 'Provider A. The result comes by callback PROVIDER_A_KYT_RESULT.',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerA-kyt`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  {
    id: 'assess-wco',
    group: 'enclave',
    title: 'Screen the person',
    meaning: 'Provider B. The result comes by callback PROVIDER_B_WCO_RESULT.',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerB-wco`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  {
    id: 'robot-verify-account',
    group: 'robot',
    title: 'Let the robot verify an account',
    meaning: 'The robot asks your VASP whether the address is yours.',
    method: 'POST',
    path: `${ROBOT}/action/verifications/account`,
    fields: ['symbol', 'account'],
    isReady: true,
  },
  {
    id: 'robot-verify-user',
    group: 'robot',
    title: 'Let the robot verify a user',
    meaning: 'A user of the robot wants to pay your customer. Your VASP is asked.',
    method: 'POST',
    path: `${ROBOT}/action/verifications`,
    fields: [...PERSON, 'account'],
    isReady: true,
  },
  {
    id: 'robot-withdraw',
    group: 'robot',
    title: 'Let the robot pay',
    meaning: 'It transfers what a VERIFIED verification says, once, and reports the transaction.',
    method: 'POST',
    path: `${ROBOT}/action/withdrawal`,
    fields: ['verificationUuid', 'omitTxReport'],
    about: MY_DEPOSIT,
    body: ({ verificationUuid, omitTxReport }) => ({
      verificationUuid,
      omitTxReport: omitTxReport === 'true',
    }),
  },
  {
    id: 'robot-report-tx',
    group: 'robot',
    title: 'Force a transaction report',
    meaning: 'The robot reports this hash to you, whatever it is.',
    method: 'POST',
    path: `${ROBOT}/action/verifications/tx`,
    fields: ['verificationUuid', 'txHash'],
    about: MY_DEPOSIT,
    body: report,
  },
  {
    id: 'robot-report-error',
    group: 'robot',
    title: 'Force an error report',
    meaning: 'The robot gives its payment to you up.',
    method: 'POST',
    path: `${ROBOT}/action/verifications/error`,
    fields: ERROR,
    about: MY_DEPOSIT,
    body: errorReport,
  },
  {
    id: 'robot-inquire-tx',
    group: 'robot',
    title: 'Let the robot ask for the status',
    meaning: 'The robot asks your VASP now where your payment is, instead of after ten minutes.',
    method: 'POST',
    path: `${ROBOT}/action/tx/inquiry`,
    fields: ['verificationUuid'],
    about: MY_WITHDRAWAL,
    body: onlyUuid,
  },
  {
    id: 'robot-balance',
    group: 'robot',
    title: 'Ask for the balance',
    meaning: 'Has my deposit been reflected at this user of the robot?',
    method: 'GET',
    path: `${ROBOT}/testnet/balance`,
    fields: ['symbol', 'user'],
    query: ({ vaspId, symbol, address }) => ({ vaspId, symbol, address }),
  },
  {
    id: 'order-fault',
    group: 'sandbox',
    title: 'Order a fault',
    meaning: 'Makes an answer or a callback fail on purpose; the page Faults lists what is in force.',
    method: 'PUT',
    path: '/sandbox/v1/faults',
    fields: [],
    body: () => ({ target: 'callback', mode: 'never-answer', times: 2 }),
  },
];

const byId = new Map(ACTIONS.map(action => [action.id, action]));
export const actionOf = (id: string): SendAction => byId.get(id) ?? ACTIONS[0]!;
