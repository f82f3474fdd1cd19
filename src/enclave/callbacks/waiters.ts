import { createLoop } from '../../timers/loop.ts';

/**
 * Those who wait for a row: the readers of a mailbox, by the id of their VASP, and those who wait for the end of a
 * verification, by its uuid. They are woken when it may be there, and then read the database.
 */
export type Waiters = ReturnType<typeof createWaiters>;

/** The most that go on before other requests have their turn. */
const BATCH_SIZE = 25;

export function createWaiters() {
  const waiting = new Map<string, Set<() => void>>();
  const waking: (() => void)[] = [];
  const loop = createLoop(() => {
    for (const wake of waking.splice(0, BATCH_SIZE)) wake();
    if (waking.length > 0) loop.soon();
  });
  return {
    wake(key: string): void {
      waking.push(...(waiting.get(key) ?? []));
      waiting.delete(key);
      if (waking.length > 0) loop.soon();
    },
    /** Resolves at the next `wake` of the key, or when the signal aborts. */
    wait: (key: string, signal: AbortSignal) =>
      new Promise<void>(resolve => {
        const done = () => {
          waiting.get(key)?.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        if (signal.aborted) return resolve();
        waiting.set(key, (waiting.get(key) ?? new Set()).add(done));
        signal.addEventListener('abort', done);
      }),
  };
}
