import type { Operation } from '../../contract/errors.ts';

/** Every request of a tested VASP as data. The page makes its forms from it, with the texts `requests`. */

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

export const SEND_GROUPS = ['enclave', 'robot', 'sandbox'] as const;

export interface SendAction {
  group: (typeof SEND_GROUPS)[number];
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
    method: 'POST',
    path: `${ENCLAVE}/verifications`,
    fields: PERSON,
    isReady: true,
  },
  'verify-account': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/verifications/account`,
    fields: ['symbol', 'user'],
    isReady: true,
  },
  'report-transaction': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/verifications/tx`,
    fields: ['verificationUuid', 'txHash'],
    about: MY_WITHDRAWAL,
    body: report,
  },
  'report-error': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/verifications/error`,
    fields: ERROR,
    about: MY_WITHDRAWAL,
    body: errorReport,
  },
  'inquire-transaction': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/verifications/tx/inquiry`,
    fields: ['verificationUuid'],
    about: MY_DEPOSIT,
    body: onlyUuid,
  },
  'assess-sanction': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerA-sanction`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  'assess-kyt': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerA-kyt`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  'assess-wco': {
    group: 'enclave',
    method: 'POST',
    path: `${ENCLAVE}/risk-assessment/providerB-wco`,
    fields: ['verificationUuid'],
    about: { result: 'VERIFIED' },
    body: onlyUuid,
  },
  'robot-verify-account': {
    group: 'robot',
    method: 'POST',
    path: `${ROBOT}/action/verifications/account`,
    fields: ['symbol', 'account'],
    isReady: true,
  },
  'robot-verify-user': {
    group: 'robot',
    method: 'POST',
    path: `${ROBOT}/action/verifications`,
    fields: [...PERSON, 'account'],
    isReady: true,
  },
  'robot-withdraw': {
    group: 'robot',
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
    method: 'POST',
    path: `${ROBOT}/action/verifications/tx`,
    fields: ['verificationUuid', 'txHash'],
    about: MY_DEPOSIT,
    body: report,
  },
  'robot-report-error': {
    group: 'robot',
    method: 'POST',
    path: `${ROBOT}/action/verifications/error`,
    fields: ERROR,
    about: MY_DEPOSIT,
    body: errorReport,
  },
  'robot-inquire-tx': {
    group: 'robot',
    method: 'POST',
    path: `${ROBOT}/action/tx/inquiry`,
    fields: ['verificationUuid'],
    about: MY_WITHDRAWAL,
    body: onlyUuid,
  },
  'robot-balance': {
    group: 'robot',
    method: 'GET',
    path: `${ROBOT}/testnet/balance`,
    fields: ['symbol', 'user'],
    query: ({ vaspId, symbol, address }) => ({ vaspId, symbol, address }),
  },
  'order-fault': {
    group: 'sandbox',
    method: 'PUT',
    path: '/sandbox/v1/faults',
    fields: [],
    body: () => ({ target: 'callback', mode: 'never-answer', times: 2 }),
  },
};

export const isActionId = (id: string): id is ActionId => Object.hasOwn(ACTIONS, id);
