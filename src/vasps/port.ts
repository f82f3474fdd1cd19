import type { Callback } from '../contract/callbacks.ts';
import type {
  VaspTransactionStatusRequest,
  VaspVerifyAccountAnswer,
  VaspVerifyAccountRequest,
  VaspVerifyUserAnswer,
  VaspVerifyUserRequest,
} from '../contract/vasp-api.ts';
import type { TransactionStatusResult } from '../contract/verification.ts';
import type { Tx } from '../db/transaction.ts';

/** WIRE-3: a VASP, as the enclave calls it. Every call throws `NoAnswer` or `BadAnswer` when the VASP fails. */
export interface Vasp {
  verifyAccount(request: VaspVerifyAccountRequest): Promise<VaspVerifyAccountAnswer>;
  /**
   * May be called again for the same verificationUuid; the answer must then be the same. A resident VASP adds what it
   * stores to `effects`: they commit in the transaction that takes the answer, also when the answer fails.
   */
  verifyUser(request: VaspVerifyUserRequest, effects: Effects): Promise<VaspVerifyUserAnswer | Postponed>;
  transactionStatus(request: VaspTransactionStatusRequest): Promise<TransactionStatusResult>;
  /** May be called several times for one callback. Returns every HTTP answer. Residents ignore `delivery`. */
  callback(callback: Callback, delivery?: Delivery): Promise<CallbackReply>;
}

/** After a TLS handshake that failed: see `handshakes.ts`. */
export const HANDSHAKE_WAIT_MS = 30_000;
/** After one that kept this process. */
export const MAX_HANDSHAKE_WAIT_MS = 3_600_000;

/** The longest answer of a VASP that is read in the local mode, in bytes. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/** The form of a callback on the wire. */
export interface Delivery {
  /** The header `webhook-id` is made from it. The same at every attempt. Default: the body. */
  name?: string;
  /** Of the callback, and its body as it was queued. */
  id?: number;
  body?: string;
  changeBody?: ((body: string) => string) | undefined;
  /** Called with the body that goes out. */
  onSend?(body: string): void;
  /** The ordered fault that hits it. The exchange names it: the answer of the VASP does not count as it stands. */
  fault?: string | undefined;
}

/** Changes of the database. They may run again after their transaction was undone. */
export type Effects = ((tx: Tx) => void)[];
export const applyEffects = (tx: Tx, effects: Effects): void => {
  for (const effect of effects) effect(tx);
};

/**
 * A late answer of the resident robot: `answer` comes `postponedMs` after the start of the verification, on the clock of
 * the sandbox (Infinity: never). Unlike a slow HTTP answer it needs no real time, so a test can advance the clock.
 */
export interface Postponed {
  postponedMs: number;
  answer: VaspVerifyUserAnswer;
}
export const isPostponed = (answer: object): answer is Postponed => 'postponedMs' in answer;

export interface CallbackReply {
  status: number;
  body: string;
  /** From the header `Retry-After`. */
  retryAfterMs?: number | undefined;
  /** A sentence that says why the body cannot be read. */
  problem?: string | undefined;
  /** Why it would be refused again. Undefined: it was taken, or may be sent again. */
  refusal?: string | undefined;
}

/** WIRE-3.4: the answer to every callback. */
export const TAKEN: CallbackReply = { status: 200, body: JSON.stringify({ result: true }) };

/** The VASP did not answer within the time limit. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`timeout of ${timeoutMs}ms exceeded`);
    this.timeoutMs = timeoutMs;
  }
}

export type AnswerFault = 'drop' | 'malformed' | { status: number };

/** The VASP cannot be reached, or its answer has another status than 200 or is not valid. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
  /** Of the network, of `CallFailure` or of `AnswerProblem`. Undefined: the answer was read. */
  readonly code: string | undefined;
  /** An ordered fault: what a VASP that is served over HTTP shows instead of an answer. */
  readonly fault: AnswerFault | undefined;
  constructor(
    message: string,
    { code, fault, ...options }: ErrorOptions & { code?: string; fault?: AnswerFault } = {},
  ) {
    super(message, options);
    this.code = code;
    this.fault = fault;
  }
}
