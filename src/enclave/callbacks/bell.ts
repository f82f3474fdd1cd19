import { EventEmitter } from 'node:events';

/** Tells waiting mailbox readers that something may have arrived. A hint: the outbox is the truth. */
export interface Bell {
  ring(vaspId: string): void;
  /** Resolves at the next ring for the VASP, or when the signal aborts. */
  heard(vaspId: string, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    ring: vaspId => void emitter.emit(vaspId),
    heard: (vaspId, signal) =>
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
