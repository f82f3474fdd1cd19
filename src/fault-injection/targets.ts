import { CALLBACK_TYPES, type CallbackType } from '../contract/callbacks.ts';
import { OPERATIONS, type Operation } from '../contract/errors.ts';

/** What may be made to fail, and how. The API document, the catalogue and the console tell what stands here. */

export const FAULT_MODES = [
  'delay',
  'drop',
  'status',
  'malformed',
  'duplicate',
  'reorder',
  'never-answer',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

export type FaultTarget =
  | 'answer'
  | `answer.${Exclude<Operation, 'sandbox'>}`
  | 'robot.verifyUser'
  | 'robot.verifyAccount'
  | 'robot.transactionStatus'
  | 'callback'
  | `callback.${CallbackType}`;

export type FaultParameter = 'delay' | 'status' | 'code' | 'message';

interface ModeRow {
  /** One sentence, in the words of a tester. */
  readonly meaning: string;
  readonly parameters?: readonly FaultParameter[];
}
type Modes = { readonly [M in FaultMode]?: ModeRow };

export interface TargetRow {
  readonly modes: Modes;
  /** Has it a verification that a fault could be limited to? */
  readonly hasVerification: boolean;
  readonly longestDelayMs: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** On the machine's clock somebody waits; on the sandbox's, nobody does. */
const REAL_MS = 60 * SECOND_MS;
const SANDBOX_MS = 366 * DAY_MS;
/** How long an answer that never comes keeps its connection open. */
export const LONGEST_SILENCE_MS = 120 * SECOND_MS;
/** reorder: how long a callback waits for the next one, unless the fault says otherwise. */
export const REORDER_WITHIN_MS = 600 * SECOND_MS;

const ANSWER: Modes = {
  delay: {
    meaning:
      'The call has its effect; the answer comes so much later, on the machine’s clock, by 60s at most.',
    parameters: ['delay'],
  },
  drop: { meaning: 'The call has its effect; the connection is closed without an answer.' },
  status: {
    meaning: 'The call has its effect; it is answered with this status and an error object.',
    parameters: ['status', 'code', 'message'],
  },
  malformed: { meaning: 'The call has its effect; the answer keeps its status, its JSON breaks off midway.' },
  'never-answer': {
    meaning:
      'The call has its effect; no answer comes until the caller hangs up, or the connection is closed after 120s.',
  },
};

const USER_ANSWER: Modes = {
  delay: {
    meaning:
      'The robot’s answer comes so long after the verification was opened, on the sandbox’s clock; after the time limit the result is ERROR / REQUEST-TIMEOUT.',
    parameters: ['delay'],
  },
  drop: { meaning: 'The robot closes the connection instead of answering: DENIED / UNDEFINED-ERROR.' },
  status: {
    meaning: 'The robot answers the enclave with this status: DENIED / UNDEFINED-ERROR.',
    parameters: ['status'],
  },
  malformed: { meaning: 'The robot answers the enclave with broken JSON: DENIED / UNDEFINED-ERROR.' },
  'never-answer': {
    meaning:
      'The robot never answers: ERROR / REQUEST-TIMEOUT as soon as the time limit has passed on the sandbox’s clock.',
  },
};

const ACCOUNT_ANSWER: Modes = {
  delay: {
    meaning:
      'The robot’s answer comes so much later, on the machine’s clock; after the time limit the call answers 408 REQUEST-TIMEOUT.',
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
  drop: { meaning: 'The robot closes the connection instead of answering: 408 REQUEST-TIMEOUT (D-16).' },
  status: {
    meaning: 'The robot answers the enclave with this status: 408 REQUEST-TIMEOUT (D-16).',
    parameters: ['status'],
  },
  malformed: { meaning: 'The robot answers the enclave with broken JSON: 408 REQUEST-TIMEOUT (D-16).' },
  'never-answer': ACCOUNT_ANSWER['never-answer']!,
};

const CALLBACK: Modes = {
  delay: {
    meaning:
      'The callback is held back so long on the sandbox’s clock, and those of the same verification behind it.',
    parameters: ['delay'],
  },
  drop: { meaning: 'The callback is never sent, and counts as delivered: it is lost.' },
  status: {
    meaning:
      'The callback is sent; your answer is taken as this status, so it is sent again (D-13): you see it twice.',
    parameters: ['status'],
  },
  malformed: {
    meaning: 'The callback is sent with a body that breaks off midway; what you answer decides, as always.',
  },
  duplicate: { meaning: 'The callback is sent twice, one right after the other.' },
  reorder: {
    meaning:
      'The next callback of the same verification goes first; without one within `delay` (10m if left out) on the sandbox’s clock it goes alone.',
    parameters: ['delay'],
  },
  'never-answer': {
    meaning:
      'The callback is sent; your answer is taken as none, so it is sent again (D-13): you see it twice.',
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
const answered = Object.keys(OPERATIONS).filter(
  (operation): operation is Exclude<Operation, 'sandbox'> => operation !== 'sandbox',
);

const answer = { modes: ANSWER, hasVerification: true, longestDelayMs: REAL_MS };
const callback = { modes: CALLBACK, hasVerification: true, longestDelayMs: SANDBOX_MS };

export const FAULT_TARGETS = {
  answer,
  ...Object.fromEntries(
    answered.map(operation => [
      `answer.${operation}`,
      { ...answer, hasVerification: !WITHOUT_VERIFICATION.has(operation) },
    ]),
  ),
  'robot.verifyUser': { modes: USER_ANSWER, hasVerification: true, longestDelayMs: SANDBOX_MS },
  'robot.verifyAccount': { modes: ACCOUNT_ANSWER, hasVerification: false, longestDelayMs: REAL_MS },
  'robot.transactionStatus': { modes: STATUS_ANSWER, hasVerification: true, longestDelayMs: REAL_MS },
  callback,
  ...Object.fromEntries(CALLBACK_TYPES.map(type => [`callback.${type}`, callback])),
} as Record<FaultTarget, TargetRow>;

export const FAULT_TARGET_NAMES = Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]];

/** What is possible at a target, in the order of `FAULT_MODES`. */
export const modesOf = (
  target: FaultTarget,
): { mode: FaultMode; meaning: string; parameters: FaultParameter[] }[] =>
  FAULT_MODES.flatMap(mode => {
    const row = FAULT_TARGETS[target].modes[mode];
    return row ? [{ mode, meaning: row.meaning, parameters: [...(row.parameters ?? [])] }] : [];
  });
