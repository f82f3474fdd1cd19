import type { Db } from '../../db/open.ts';
import { onCommit } from '../../db/transaction.ts';
import { pause } from '../../timers/loop.ts';

/** Wakes any number of readers after the next commit. */
export function nextCommit(db: Db, signal: AbortSignal) {
  const waiting = new Set<() => void>();
  const stop = onCommit(db, () => {
    for (const wake of waiting) wake();
  });
  return {
    /** Resolves after the next commit, at the latest after `ms`, or when the run is stopped. */
    async wait(ms: number): Promise<void> {
      const woken = new AbortController();
      const wake = () => woken.abort();
      waiting.add(wake);
      await pause(ms, AbortSignal.any([woken.signal, signal]));
      waiting.delete(wake);
    },
    stop,
  };
}
