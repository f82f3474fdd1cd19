import type { FaultMode, FaultTarget } from './targets.ts';

/** The faults that VASPs have ordered. Without an order there is none, and none is random. */
export interface FaultInjector {
  /** Has the VASP ordered any fault? */
  isArmed(vaspId: string): boolean;
  /** The oldest active fault that matches the event. Its use is counted and recorded in one transaction. */
  consume(event: FaultEvent): FaultHit | undefined;
  /** The fault that hit an earlier event of this name. */
  decisionOn(verificationUuid: string, name: string): FaultHit | undefined;
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

export interface FaultParameters {
  delay: { delayMs: number };
  drop: object;
  status: { status: number; code?: string | undefined; message?: string | undefined };
  malformed: object;
  duplicate: object;
  reorder: { delayMs: number };
  'never-answer': object;
  outdated: object;
  error: { code?: string | undefined; message?: string | undefined };
}

/**
 * A fault that hits an event. `fault`: its id. `at`: time of the decision, epoch ms on the VASP's clock. `cause`: the
 * fault in words.
 */
export type FaultHit = {
  [M in FaultMode]: { mode: M; fault: string; at: number; cause: string } & FaultParameters[M];
}[FaultMode];
