import { EventEmitter } from 'node:events';

/** Tells waiting mailbox readers that something may have arrived. A hint: the outbox is the truth. */
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
