import type { Callback } from '../contract/callbacks.ts';
import type { TransactionStatusResult } from '../contract/transaction-status.ts';
import type {
  VaspTransactionStatusRequest,
  VaspVerifyAccountAnswer,
  VaspVerifyAccountRequest,
  VaspVerifyUserAnswer,
  VaspVerifyUserRequest,
} from '../contract/vasp-api.ts';

/** A VASP, as the enclave sees it (WIRE-3). Every call throws `NoAnswer` or `BadAnswer` where the VASP fails. */
export interface Vasp {
  verifyAccount(request: VaspVerifyAccountRequest): Promise<VaspVerifyAccountAnswer>;
  /** May be asked again for the same verificationUuid: the answer must not depend on how often. */
  verifyUser(request: VaspVerifyUserRequest): Promise<VaspVerifyUserAnswer | Postponed>;
  transactionStatus(request: VaspTransactionStatusRequest): Promise<TransactionStatusResult>;
  /**
   * May be called several times for one callback. Every HTTP answer is returned, whatever its status. `spoil` changes
   * the text on the wire; a resident gets no text.
   */
  callback(callback: Callback, spoil?: (body: string) => string): Promise<CallbackReply>;
}

/**
 * The VASP takes its time on the sandbox's clock: `answer` comes `postponedMs` after the verification was opened
 * (Infinity: never). The resident robot's form of a slow HTTP answer, so that time can be advanced over it.
 */
export interface Postponed {
  postponedMs: number;
  answer: VaspVerifyUserAnswer;
}
export const isPostponed = (answer: object): answer is Postponed => 'postponedMs' in answer;

export interface CallbackReply {
  status: number;
  body: string;
}

/** The VASP answered too late, or could not be reached within its time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`timeout of ${timeoutMs}ms exceeded`);
    this.timeoutMs = timeoutMs;
  }
}

/** The VASP answered with another status than 200, with something out of shape, or not at all. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}
