import { EventEmitter } from 'node:events';

/** Wakes the readers of a mailbox when a callback may have arrived. They then read the outbox. */
export interface MailboxNotifier {
  notify(vaspId: string): void;
  /** Resolves at the next callback of the VASP, or when the signal aborts. */
  wait(vaspId: string, signal: AbortSignal): Promise<void>;
}

export function createMailboxNotifier(): MailboxNotifier {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    notify: vaspId => void emitter.emit(vaspId),
    wait: (vaspId, signal) =>
      new Promise(resolve => {
        const done = () => {
          emitter.off(vaspId, done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        if (signal.aborted) return resolve();
        emitter.on(vaspId, done);
        signal.addEventListener('abort', done);
      }),
  };
}
