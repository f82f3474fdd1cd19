import type { Db } from '../../db/open.ts';
import { onCommit } from '../../db/transaction.ts';
import { pause } from '../../timers/loop.ts';

/** Wakes one reader after commits. A hint: many commits are one waking, and the reader looks into the tables. */
export interface WakeUp {
  /** True: something was committed since the last time; false: so much time has passed, or the signal aborted. */
  within(ms: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
}

export function wakeUp(db: Db): WakeUp {
  let isNew = false;
  let ring = () => {};
  const stop = onCommit(db, () => {
    isNew = true;
    ring();
  });
  return {
    async within(ms, signal) {
      if (!isNew) {
        const done = new AbortController();
        const hungUp = () => done.abort();
        if (signal.aborted) return false;
        signal.addEventListener('abort', hungUp);
        ring = hungUp;
        await pause(ms, done.signal);
        signal.removeEventListener('abort', hungUp);
      }
      const woken = isNew;
      isNew = false;
      return woken;
    },
    stop,
  };
}
