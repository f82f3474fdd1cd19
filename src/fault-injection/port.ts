import { CALLBACK_TYPES, type CallbackType } from '../contract/callbacks.ts';
import { OPERATIONS, type Operation } from '../contract/errors.ts';

/** The targets of faults and their modes. The API description, the catalogue and the console are made from these tables. */

export const FAULT_MODES = [
  'delay',
  'drop',
  'status',
  'malformed',
  'duplicate',
  'reorder',
  'never-answer',
  'outdated',
  'error',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

/** Calls to the embedded ledgers that can fail by themselves: of Ethereum, and of the XRP Ledger. */
export const NODE_METHODS = ['eth_estimateGas', 'eth_sendRawTransaction', 'submit'] as const;

export type FaultTarget =
  | 'answer'
  | `answer.${Exclude<Operation, 'sandbox'>}`
  | 'robot.verifyUser'
  | 'robot.verifyAccount'
  | 'robot.transactionStatus'
  | 'devnet'
  | 'devnet.ETH'
  | 'devnet.XRP'
  | `devnet.${(typeof NODE_METHODS)[number]}`
  | 'callback'
  | `callback.${CallbackType}`;

export const FAULT_PARAMETERS = ['delay', 'status', 'code', 'message'] as const;
export type FaultParameter = (typeof FAULT_PARAMETERS)[number];

interface ModeRow {
  /** The effect that the tester will see. */
  readonly meaning: string;
  readonly parameters?: readonly FaultParameter[];
}
type Modes = { readonly [M in FaultMode]?: ModeRow };

interface TargetRow {
  readonly modes: Modes;
  /** Can a fault be limited to one verification? */
  readonly hasVerification: boolean;
  readonly longestDelayMs: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** The longest delay of an event that happens on the machine's clock, and of one on the sandbox's clock. */
const REAL_MS = 60 * SECOND_MS;
const SANDBOX_MS = 366 * DAY_MS;
/** never-answer: after this time the connection is closed. */
export const LONGEST_SILENCE_MS = 120 * SECOND_MS;
/** reorder: the default time that a callback waits for the next one. */
export const REORDER_WITHIN_MS = 600 * SECOND_MS;

const ANSWER: Modes = {
  delay: {
    meaning: 'The call takes effect. Its answer comes later by `delay`, on the machine’s clock, at most 60s.',
    parameters: ['delay'],
  },
  drop: { meaning: 'The call takes effect. The connection is closed without an answer.' },
  status: {
    meaning: 'The call takes effect. Its answer is this status with an error object.',
    parameters: ['status', 'code', 'message'],
  },
  malformed: { meaning: 'The call takes effect. Its answer keeps the status, but the JSON breaks off midway.' },
  'never-answer': { meaning: 'The call takes effect. No answer comes; after 120s the connection is closed.' },
};

const USER_ANSWER: Modes = {
  delay: {
    meaning:
      'The robot answers `delay` after the verification was opened, on the sandbox’s clock. Beyond the time limit the result is ERROR / REQUEST-TIMEOUT.',
    parameters: ['delay'],
  },
  drop: { meaning: 'The robot closes the connection without an answer: DENIED / UNDEFINED-ERROR.' },
  status: {
    meaning: 'The robot answers the enclave with this status: DENIED / UNDEFINED-ERROR.',
    parameters: ['status'],
  },
  malformed: { meaning: 'The robot answers the enclave with broken JSON: DENIED / UNDEFINED-ERROR.' },
  'never-answer': {
    meaning: 'The robot never answers: ERROR / REQUEST-TIMEOUT when the time limit has passed on the sandbox’s clock.',
  },
};

const ACCOUNT_ANSWER: Modes = {
  delay: {
    meaning:
      'The robot’s answer comes later by `delay`, on the machine’s clock. Beyond the time limit the call answers 408 REQUEST-TIMEOUT.',
    parameters: ['delay'],
  },
  drop: USER_ANSWER.drop!,
  status: USER_ANSWER.status!,
  malformed: USER_ANSWER.malformed!,
  'never-answer': {
    meaning:
      'The robot never answers: the call answers 408 REQUEST-TIMEOUT when the time limit has passed on the machine’s clock.',
  },
};

const STATUS_ANSWER: Modes = {
  delay: ACCOUNT_ANSWER.delay!,
  drop: { meaning: 'The robot closes the connection without an answer: 408 REQUEST-TIMEOUT (D-16).' },
  status: {
    meaning: 'The robot answers the enclave with this status: 408 REQUEST-TIMEOUT (D-16).',
    parameters: ['status'],
  },
  malformed: { meaning: 'The robot answers the enclave with broken JSON: 408 REQUEST-TIMEOUT (D-16).' },
  'never-answer': ACCOUNT_ANSWER['never-answer']!,
  outdated: {
    meaning: 'The robot answers WAIT-CONFIRM with the hash of its transfer, although the transfer is CONFIRMED.',
  },
};

const NODE_ANSWER: Modes = {
  delay: {
    meaning:
      'The call of your VASP to the embedded ledger takes effect. Its answer comes later by `delay`, on the machine’s clock, at most 60s.',
    parameters: ['delay'],
  },
  drop: {
    meaning: 'The call of your VASP to the embedded ledger takes effect. The connection is closed without an answer.',
  },
  'never-answer': {
    meaning:
      'The call of your VASP to the embedded ledger takes effect. No answer comes; after 120s the connection is closed.',
  },
  error: {
    meaning:
      'The embedded ledger answers the call of your VASP with an error and does nothing. `code`: default -32000 on Ethereum, `tooBusy` on the XRP Ledger.',
    parameters: ['code', 'message'],
  },
};

const CALLBACK: Modes = {
  delay: {
    meaning:
      'The callback is held back for `delay` on the sandbox’s clock. Later callbacks of the same verification wait behind it.',
    parameters: ['delay'],
  },
  drop: { meaning: 'The callback is never sent, and not tried again: it is LOST.' },
  status: {
    meaning: 'The callback is sent. Your answer counts as this status, so it is sent again (D-13): you see it twice.',
    parameters: ['status'],
  },
  malformed: {
    meaning: 'The callback is sent with a body that breaks off midway. Your answer decides whether it is sent again.',
  },
  duplicate: { meaning: 'The callback is sent twice in a row.' },
  reorder: {
    meaning:
      'The next callback of the same verification goes first. If none comes within `delay` (default 10m) on the sandbox’s clock, this one is sent.',
    parameters: ['delay'],
  },
  'never-answer': {
    meaning: 'The callback is sent. Your answer counts as missing, so it is sent again (D-13): you see it twice.',
  },
};

const WITHOUT_VERIFICATION: ReadonlySet<Operation> = new Set([
  'get-self',
  'list-vasps',
  'list-verifications',
  'verify-account',
  'verify-user',
  'robot-balance',
  'robot-verify-account',
]);
const ANSWERED = Object.keys(OPERATIONS).filter(
  (operation): operation is Exclude<Operation, 'sandbox'> => operation !== 'sandbox',
);

const answer = { modes: ANSWER, hasVerification: true, longestDelayMs: REAL_MS };
const devnet = { modes: NODE_ANSWER, hasVerification: false, longestDelayMs: REAL_MS };
const callback = { modes: CALLBACK, hasVerification: true, longestDelayMs: SANDBOX_MS };

export const FAULT_TARGETS = {
  answer,
  ...Object.fromEntries(
    ANSWERED.map(operation => [
      `answer.${operation}`,
      { ...answer, hasVerification: !WITHOUT_VERIFICATION.has(operation) },
    ]),
  ),
  'robot.verifyUser': { modes: USER_ANSWER, hasVerification: true, longestDelayMs: SANDBOX_MS },
  'robot.verifyAccount': { modes: ACCOUNT_ANSWER, hasVerification: false, longestDelayMs: REAL_MS },
  'robot.transactionStatus': { modes: STATUS_ANSWER, hasVerification: true, longestDelayMs: REAL_MS },
  devnet,
  'devnet.ETH': devnet,
  'devnet.XRP': devnet,
  ...Object.fromEntries(NODE_METHODS.map(method => [`devnet.${method}`, devnet])),
  callback,
  ...Object.fromEntries(CALLBACK_TYPES.map(type => [`callback.${type}`, callback])),
} as Record<FaultTarget, TargetRow>;

export const FAULT_TARGET_NAMES = Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]];

/** The modes of a target, in the order of `FAULT_MODES`. */
export const modesOf = (target: FaultTarget): { mode: FaultMode; meaning: string; parameters: FaultParameter[] }[] =>
  FAULT_MODES.flatMap(mode => {
    const row = FAULT_TARGETS[target].modes[mode];
    return row ? [{ mode, meaning: row.meaning, parameters: [...(row.parameters ?? [])] }] : [];
  });

/** The faults that VASPs have ordered. Without an order there is none, and none is random. */
export interface FaultInjector {
  /** Has the VASP ordered any fault? */
  isArmed(vaspId: string): boolean;
  /** The oldest active fault that matches the event. Its use is counted and recorded in one transaction. */
  consume(event: FaultEvent): FaultHit | undefined;
  /** The fault that hit an earlier event of this name. */
  decisionOn(verificationUuid: string, name: string): FaultHit | undefined;
  /** Has a fault hit an answer to this operation about the verification? */
  hasSpoiled(verificationUuid: string, operation: Exclude<Operation, 'sandbox'>): boolean;
  /** Waits for `ms`, or until `ended` aborts. True: the fault was removed before. */
  hold(hit: FaultHit, ms: number, ended: AbortSignal): Promise<boolean>;
}

export interface FaultEvent {
  /** The VASP that ordered the fault. */
  vaspId: string;
  /** All targets that cover the event. */
  targets: readonly FaultTarget[];
  /** Null: the event belongs to no verification. */
  verificationUuid: string | null;
  /** Identifies the event within its verification. The same name always gets the same decision, after a crash too. */
  name?: string;
  /** Modes that do not apply to this event. */
  except?: readonly FaultMode[];
}

/** Of the modes that have some. */
interface FaultParameters {
  delay: { delayMs: number };
  reorder: { delayMs: number };
  status: { status: number; code?: string | undefined; message?: string | undefined };
  error: { code?: string | undefined; message?: string | undefined };
}

/**
 * A fault that hits an event. `fault`: its id. `at`: time of the decision, epoch ms on the VASP's clock. `cause`: the
 * fault in words.
 */
export type FaultHit = {
  [M in FaultMode]: { mode: M; fault: string; at: number; cause: string } & (M extends keyof FaultParameters
    ? FaultParameters[M]
    : object);
}[FaultMode];
