import type { Db } from '../../db/open.ts';
import { onCommit } from '../../db/transaction.ts';
import { firstWithin } from '../../kernel/clock.ts';
import { createLoop } from '../../timers/loop.ts';

/** Wakes all streams after a commit and lets them share what they read. */
export type Feed = ReturnType<typeof createFeed>;
export interface Follower {
  /** True: there was a commit since the last call. False: the time is over, or `signal` aborted. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
}

/** Commits often come in groups. A short wait reads a group at once. */
const GATHER_MS = 20;
/** The most streams that write before requests have their turn. */
const BATCH_SIZE = 25;

export function createFeed(db: Db) {
  const results = new Map<string, unknown>();
  const followers = new Set<() => void>();
  let waking: (() => void)[] = [];
  let hasCommitted = false;
  let stopListening = () => {};

  const loop = createLoop(() => {
    if (waking.length === 0) {
      waking = [...followers];
      hasCommitted = false;
    }
    for (const wake of waking.splice(0, BATCH_SIZE)) wake();
    if (waking.length > 0) loop.soon();
    else if (hasCommitted) loop.within(GATHER_MS);
  });
  function committed(): void {
    results.clear();
    hasCommitted = true;
    if (waking.length === 0) loop.within(GATHER_MS);
  }

  return {
    follow(): Follower {
      const { wake, wait } = waiter();
      if (followers.size === 0) stopListening = onCommit(db, committed);
      followers.add(wake);
      return {
        wait,
        stop() {
          followers.delete(wake);
          if (followers.size > 0) return;
          stopListening();
          results.clear();
        },
      };
    },
    /** The result of `read`, which runs once for each key between two commits. */
    shared<T>(key: string, read: () => T): T {
      if (!results.has(key)) results.set(key, read());
      return results.get(key) as T;
    },
  };
}

function waiter(): Pick<Follower, 'wait'> & { wake(): void } {
  let hasNews = false;
  let endWait = () => {};
  return {
    wake() {
      hasNews = true;
      endWait();
    },
    async wait(ms, signal) {
      if (!hasNews && !signal.aborted) {
        const done = new Promise<void>(resolve => {
          endWait = resolve;
        });
        signal.addEventListener('abort', endWait);
        await firstWithin(ms, [done]);
        signal.removeEventListener('abort', endWait);
      }
      const result = hasNews;
      hasNews = false;
      return result;
    },
  };
}
