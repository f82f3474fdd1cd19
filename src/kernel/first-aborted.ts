import { setMaxListeners } from 'node:events';

/** Aborts with the first of the others. `release` ends that: it has to be called when nobody waits any more. */
export interface FirstAborted {
  signal: AbortSignal;
  release(): void;
}

/** `AbortSignal.any` of Node.js 20 leaves something in each signal that never aborts, for each call. */
export function firstAborted(...signals: readonly AbortSignal[]): FirstAborted {
  const first = new AbortController();
  const release = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  function abort(): void {
    release();
    first.abort();
  }
  // Each request of a key may listen to its end.
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: first.signal, release };
}
