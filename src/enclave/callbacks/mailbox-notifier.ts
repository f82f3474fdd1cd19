import { createLoop } from '../../timers/loop.ts';

/**
 * Wakes the readers of a mailbox when a callback may have arrived. They then read the outbox. Likewise those who wait for
 * the end of a verification, by its uuid.
 */
export type MailboxNotifier = ReturnType<typeof createMailboxNotifier>;

/** The most readers that answer before other requests have their turn. */
const AT_ONCE = 25;

export function createMailboxNotifier() {
  const readers = new Map<string, Set<() => void>>();
  const waking: (() => void)[] = [];
  const loop = createLoop(() => {
    for (const wake of waking.splice(0, AT_ONCE)) wake();
    if (waking.length > 0) loop.soon();
  });
  return {
    notify(vaspId: string): void {
      waking.push(...(readers.get(vaspId) ?? []));
      readers.delete(vaspId);
      if (waking.length > 0) loop.soon();
    },
    /** Resolves at the next callback of the VASP, or when the signal aborts. */
    wait: (vaspId: string, signal: AbortSignal) =>
      new Promise<void>(resolve => {
        const done = () => {
          readers.get(vaspId)?.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        if (signal.aborted) return resolve();
        readers.set(vaspId, (readers.get(vaspId) ?? new Set()).add(done));
        signal.addEventListener('abort', done);
      }),
  };
}
