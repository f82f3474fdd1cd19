import type { Db } from '../../db/open.ts';
import { onCommit } from '../../db/transaction.ts';
import { firstWithin } from '../../timers/loop.ts';

/** Tells one reader that something was committed. Several commits may be one signal: the reader looks for itself. */
export interface CommitSignal {
  /** True: there was a commit since the last call. False: the time is over, or `signal` aborted. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
}

export function commitSignal(db: Db): CommitSignal {
  let hasCommitted = false;
  let endWait = () => {};
  const stop = onCommit(db, () => {
    hasCommitted = true;
    endWait();
  });
  return {
    async wait(ms, signal) {
      if (!hasCommitted) {
        if (signal.aborted) return false;
        const done = new Promise<void>(resolve => {
          endWait = resolve;
        });
        signal.addEventListener('abort', endWait);
        await firstWithin(ms, [done]);
        signal.removeEventListener('abort', endWait);
      }
      const result = hasCommitted;
      hasCommitted = false;
      return result;
    },
    stop,
  };
}
