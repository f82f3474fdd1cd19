import type { FaultMode, FaultTarget } from './targets.ts';

/** Failures that a VASP has ordered. None is ever there by itself, none is left to chance. */
export interface FaultInjector {
  /** Has the VASP ordered anything? In memory: this is all that a VASP without faults costs. */
  isArmed(vaspId: string): boolean;
  /** The oldest active fault that fits the event, counted and told in one transaction. */
  consume(event: FaultEvent): FaultHit | undefined;
  /** What was decided at an occasion before. */
  decisionAt(verificationUuid: string, occasion: string): FaultHit | undefined;
}

export interface FaultEvent {
  /** Whose faults count. */
  vaspId: string;
  /** The names under which the event may be meant. */
  targets: readonly FaultTarget[];
  /** Null: of no verification. */
  verificationUuid: string | null;
  /** Names the event within its verification: asked again, after a crash too, the decision is the same. */
  occasion?: string;
  /** Modes that make no sense at this event. */
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
}

/** What happens to the event. `at`: when it was decided, on the VASP's clock; `cause`: which fault it was. */
export type FaultHit = {
  [M in FaultMode]: { mode: M; at: number; cause: string } & FaultParameters[M];
}[FaultMode];
