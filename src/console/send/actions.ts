import { CALLS, type CallName } from '../../contract/calls.ts';
import type { Operation } from '../../contract/errors.ts';
import type { Texts } from '../texts/english.ts';

type Hint = 'accountHint' | 'noUser' | 'robotReports' | 'robotIsSilent';
export type FieldName = Exclude<keyof Texts['sendFields'], Hint>;
export type Values = Record<FieldName | 'vaspId' | 'address', string>;

export const SEND_GROUPS = ['enclave', 'robot', 'sandbox'] as const;

interface Declared {
  call: CallName;
  fields: readonly FieldName[];
  /** Filter for the verifications to choose from. The newest is preselected. */
  about?: Readonly<Record<string, string>>;
  /** The API makes the whole body. */
  isReady?: true;
  /** Default: the fields. Of a GET it is the query. */
  body?(values: Values): object;
}

/** Reads have no form: a browser or curl does. */
type ReadOperation = 'get-self' | 'get-verification' | 'list-vasps' | 'list-verifications';
/** Ids of the API document. A new operation does not compile until it has a form here or counts as a read. */
export type ActionId = Exclude<Operation, ReadOperation | 'sandbox'> | 'order-fault';

const READY = { isReady: true } as const;
/** I pay the robot, or the robot pays me. */
const MY_WITHDRAWAL = { about: { role: 'originating', result: 'VERIFIED' } };
const MY_DEPOSIT = { about: { role: 'beneficiary', result: 'VERIFIED' } };
const ANY = { about: { result: 'VERIFIED' } };
const PERSON = ['symbol', 'user', 'amount'] as const;
const UUID = ['verificationUuid'] as const;
const ERROR = [...UUID, 'result', 'reason', 'message'] as const;

const DECLARED: Record<ActionId, Declared> = {
  'verify-user': { call: 'verifyUser', fields: PERSON, ...READY },
  'verify-account': { call: 'verifyAccount', fields: ['symbol', 'user'], ...READY },
  'report-transaction': { call: 'reportTransaction', fields: [...UUID, 'txHash'], ...MY_WITHDRAWAL },
  'report-error': { call: 'reportError', fields: ERROR, ...MY_WITHDRAWAL },
  'inquire-transaction': { call: 'inquireTransaction', fields: UUID, ...MY_DEPOSIT },
  'assess-sanction': { call: 'assessSanction', fields: UUID, ...ANY },
  'assess-kyt': { call: 'assessKyt', fields: UUID, ...ANY },
  'assess-wco': { call: 'assessWco', fields: UUID, ...ANY },
  'robot-verify-account': { call: 'robotVerifyAccount', fields: ['symbol', 'account'], ...READY },
  'robot-verify-user': { call: 'robotVerifyUser', fields: [...PERSON, 'account'], ...READY },
  'robot-withdraw': {
    call: 'robotWithdraw',
    fields: [...UUID, 'omitTxReport'],
    ...MY_DEPOSIT,
    body: ({ verificationUuid, omitTxReport }) => ({ verificationUuid, omitTxReport: omitTxReport === 'true' }),
  },
  'robot-report-tx': { call: 'robotReport', fields: [...UUID, 'txHash'], ...MY_DEPOSIT },
  'robot-report-error': { call: 'robotReportError', fields: ERROR, ...MY_DEPOSIT },
  'robot-inquire-tx': { call: 'robotInquire', fields: UUID, ...MY_WITHDRAWAL },
  'robot-balance': {
    call: 'balance',
    fields: ['symbol', 'user'],
    body: ({ vaspId, symbol, address }) => ({ vaspId, symbol, address }),
  },
  'order-fault': { call: 'addFault', fields: [], body: () => ({ target: 'callback', mode: 'never-answer', times: 2 }) },
};

export interface SendAction extends Declared {
  group: (typeof SEND_GROUPS)[number];
  method: string;
  path: string;
}

const groupOf = (path: string) =>
  path.startsWith('/v1/') ? 'enclave' : path.startsWith('/sandbox/') ? 'sandbox' : 'robot';

/** Every request of a tested VASP. The page makes its forms from it, with the texts `requests`. */
export const ACTIONS = Object.fromEntries(
  Object.entries(DECLARED).map(([id, declared]) => {
    const [method, path] = CALLS[declared.call].split(' ') as [string, string];
    return [id, { ...declared, method, path, group: groupOf(path) }];
  }),
) as Record<ActionId, SendAction>;

export const isActionId = (id: string): id is ActionId => Object.hasOwn(ACTIONS, id);
