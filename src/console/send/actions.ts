import type { Operation } from '../../contract/errors.ts';

/** Every request of a tested VASP as data. The page makes its forms from it. */

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
  group: 'enclave' | 'robot' | 'sandbox';
  title: string;
  meaning: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  fields: readonly FieldName[];
  /** Filter for the verifications to choose from. The newest is preselected. */
  about?: Readonly<Record<string, string>>;
  /** The API makes the whole body. */
  isReady?: true;
  body?(values: Values): object;
  query?(values: Values): Record<string, string>;
}

/** Reads have no form: a browser or curl does. */
type ReadOperation = 'get-self' | 'get-verification' | 'list-vasps' | 'list-verifications';
/** Ids of the API document. A new operation does not compile until it has a form here or counts as a read. */
export type ActionId = Exclude<Operation, ReadOperation | 'sandbox'> | 'order-fault';

const ENCLAVE = '/v1';
const ROBOT = '/vega/robot/v1.0';
/** I pay the robot, or the robot pays me. */
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

export const ACTIONS: Record<ActionId, SendAction> = {
  'verify-user': {
    group: 'enclave',
    title: 'Verify user',
    meaning: 'May my customer pay this user of the robot? A callback brings the result.',
    method: 'POST',
    path: `${ENCLAVE}/verifications`,
    fields: PERSON,
    isReady: true,
  },
  'verify-account': {
    group: 'enclave',
    title: 'Verify account',
    meaning: 'Does this address belong to this user of the robot?',
    method: 'POST',
    path: `${ENCLAVE}/verifications/account`,
    fields: ['symbol', 'user'],
    isReady: true,
  },
  'report-transaction': {
    group: 'enclave',
    title: 'Report a transaction',
    meaning: 'Reports the hash of my payment to the robot.',
    method: 'POST',
    path: `${ENCLAVE}/verifications/tx`,
    fields: ['verificationUuid', 'txHash'],
    about: MY_WITHDRAWAL,
    body: report,
  },
  'report-error': {
    group: 'enclave',
    title: 'Report an error',
    meaning: 'Cancels the withdrawal. The result becomes ERROR for both VASPs.',
    method: 'POST',
    path: `${ENCLAVE}/verifications/error`,
    fields: ERROR,
    about: MY_WITHDRAWAL,
    body: errorReport,
  },
  'inquire-transaction': {
    group: 'enclave',
    title: 'Ask for the transaction status',
    meaning: 'What is the status of the robot’s payment to my customer?',
    method: 'POST',
    path: `${ENCLAVE}/verifications/tx/inquiry`,
    fields: ['verificationUuid'],
    about: MY_DEPOSIT,
    body: onlyUuid,
  },
  'assess-sanction': {
    group: 'enclave',
    title: 'Screen the address for sanctions',
    meaning: 'Provider A answers at once.',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerA-sanction`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  'assess-kyt': {
    group: 'enclave',
    title: 'Monitor the address or the transaction',
    meaning: 'Provider A. The callback PROVIDER_A_KYT_RESULT brings the result.',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerA-kyt`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  'assess-wco': {
    group: 'enclave',
    title: 'Screen the person',
    meaning: 'Provider B. The callback PROVIDER_B_WCO_RESULT brings the result.',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerB-wco`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  'robot-verify-account': {
    group: 'robot',
    title: 'Let the robot verify an account',
    meaning: 'The robot asks your VASP whether this address is yours.',
    method: 'POST',
    path: `${ROBOT}/action/verifications/account`,
    fields: ['symbol', 'account'],
    isReady: true,
  },
  'robot-verify-user': {
    group: 'robot',
    title: 'Let the robot verify a user',
    meaning: 'A user of the robot wants to pay your customer. The robot asks your VASP.',
    method: 'POST',
    path: `${ROBOT}/action/verifications`,
    fields: [...PERSON, 'account'],
    isReady: true,
  },
  'robot-withdraw': {
    group: 'robot',
    title: 'Let the robot pay',
    meaning: 'The robot pays a VERIFIED verification once and reports the transaction.',
    method: 'POST',
    path: `${ROBOT}/action/withdrawal`,
    fields: ['verificationUuid', 'omitTxReport'],
    about: MY_DEPOSIT,
    body: ({ verificationUuid, omitTxReport }) => ({
      verificationUuid,
      omitTxReport: omitTxReport === 'true',
    }),
  },
  'robot-report-tx': {
    group: 'robot',
    title: 'Force a transaction report',
    meaning: 'The robot reports this hash to you, even if no such transaction exists.',
    method: 'POST',
    path: `${ROBOT}/action/verifications/tx`,
    fields: ['verificationUuid', 'txHash'],
    about: MY_DEPOSIT,
    body: report,
  },
  'robot-report-error': {
    group: 'robot',
    title: 'Force an error report',
    meaning: 'The robot cancels its payment to you and reports the error.',
    method: 'POST',
    path: `${ROBOT}/action/verifications/error`,
    fields: ERROR,
    about: MY_DEPOSIT,
    body: errorReport,
  },
  'robot-inquire-tx': {
    group: 'robot',
    title: 'Let the robot ask for the status',
    meaning:
      'The robot asks your VASP for the status of your payment now. By itself it asks after ten minutes.',
    method: 'POST',
    path: `${ROBOT}/action/tx/inquiry`,
    fields: ['verificationUuid'],
    about: MY_WITHDRAWAL,
    body: onlyUuid,
  },
  'robot-balance': {
    group: 'robot',
    title: 'Ask for the balance',
    meaning: 'How much has this user of the robot received from me?',
    method: 'GET',
    path: `${ROBOT}/testnet/balance`,
    fields: ['symbol', 'user'],
    query: ({ vaspId, symbol, address }) => ({ vaspId, symbol, address }),
  },
  'order-fault': {
    group: 'sandbox',
    title: 'Add a fault',
    meaning: 'Makes an answer or a callback fail on purpose. The page Faults lists the active faults.',
    method: 'PUT',
    path: '/sandbox/v1/faults',
    fields: [],
    body: () => ({ target: 'callback', mode: 'never-answer', times: 2 }),
  },
};

export const isActionId = (id: string): id is ActionId => Object.hasOwn(ACTIONS, id);
