import { refusals } from '../contract/refusals.ts';
import { firstAborted } from '../kernel/turns.ts';
import { expiresIn } from '../timers/loop.ts';

/** A limited number of open connections of one kind, so that nobody fills the memory with them. */
export type Places = ReturnType<typeof places>;

const MAX_PLACES = 1_000;

/** Of a read that waits. */
export const MAX_WAIT_MS = 60_000;

/** `what` in the plural, for the refusal. */
export function places(what: string) {
  let used = 0;
  /** Throws `Refusal` too-many. */
  function requireFree(): void {
    if (used >= MAX_PLACES) throw refusals.tooMany(what, MAX_PLACES);
  }
  /** Returns a function that gives the place back. */
  function take(): () => void {
    used += 1;
    return () => {
      used -= 1;
    };
  }
  return {
    requireFree,
    take,
    /** Waits in a place for at most `ms`, or until a signal aborts. Throws `Refusal` too-many. */
    async wait<T>(ms: number, ends: readonly AbortSignal[], wait: (until: AbortSignal) => Promise<T>): Promise<T> {
      if (ms > 0) requireFree();
      const until = firstAborted(...ends, expiresIn(ms));
      const leave = ms > 0 ? take() : () => {};
      return wait(until.signal).finally(() => {
        until.release();
        leave();
      });
    },
  };
}
