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
  /** Default: the fields. */
  body?(values: Values): object;
  /** Of a GET, which has no body. */
  query?(values: Values): Record<string, string>;
}

/** Reads have no form: a browser or curl does. */
type ReadOperation = 'get-self' | 'get-verification' | 'list-vasps' | 'list-verifications';
/** Ids of the API document. A new operation does not compile until it has a form here or counts as a read. */
export type ActionId = Exclude<Operation, ReadOperation | 'sandbox'> | 'order-fault';

type More = Pick<SendAction, 'about' | 'isReady' | 'body'>;
const enclave = (path: string, fields: readonly FieldName[], more: More): SendAction => ({
  group: 'enclave',
  method: 'POST',
  path: `/v1/${path}`,
  fields,
  ...more,
});
const ROBOT = '/vega/robot/v1.0';
const robot = (path: string, fields: readonly FieldName[], more: More): SendAction => ({
  group: 'robot',
  method: 'POST',
  path: `${ROBOT}/action/${path}`,
  fields,
  ...more,
});

const READY: More = { isReady: true };
/** I pay the robot, or the robot pays me. */
const MY_WITHDRAWAL: More = { about: { role: 'originating', result: 'VERIFIED' } };
const MY_DEPOSIT: More = { about: { role: 'beneficiary', result: 'VERIFIED' } };
const ANY: More = { about: { result: 'VERIFIED' } };
const PERSON: readonly FieldName[] = ['symbol', 'user', 'amount'];
const ERROR: readonly FieldName[] = ['verificationUuid', 'result', 'reason', 'message'];

export const ACTIONS: Record<ActionId, SendAction> = {
  'verify-user': enclave('verifications', PERSON, READY),
  'verify-account': enclave('verifications/account', ['symbol', 'user'], READY),
  'report-transaction': enclave('verifications/tx', ['verificationUuid', 'txHash'], MY_WITHDRAWAL),
  'report-error': enclave('verifications/error', ERROR, MY_WITHDRAWAL),
  'inquire-transaction': enclave('verifications/tx/inquiry', ['verificationUuid'], MY_DEPOSIT),
  'assess-sanction': enclave('risk-assessment/providerA-sanction', ['verificationUuid'], ANY),
  'assess-kyt': enclave('risk-assessment/providerA-kyt', ['verificationUuid'], ANY),
  'assess-wco': enclave('risk-assessment/providerB-wco', ['verificationUuid'], ANY),
  'robot-verify-account': robot('verifications/account', ['symbol', 'account'], READY),
  'robot-verify-user': robot('verifications', [...PERSON, 'account'], READY),
  'robot-withdraw': robot('withdrawal', ['verificationUuid', 'omitTxReport'], {
    ...MY_DEPOSIT,
    body: ({ verificationUuid, omitTxReport }) => ({ verificationUuid, omitTxReport: omitTxReport === 'true' }),
  }),
  'robot-report-tx': robot('verifications/tx', ['verificationUuid', 'txHash'], MY_DEPOSIT),
  'robot-report-error': robot('verifications/error', ERROR, MY_DEPOSIT),
  'robot-inquire-tx': robot('tx/inquiry', ['verificationUuid'], MY_WITHDRAWAL),
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
