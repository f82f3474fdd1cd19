/** The first signal stops cleanly, a second SIGTERM or SIGINT at once. A terminal that closes may send SIGHUP twice. */
export function whenStopped(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping && signal !== 'SIGHUP') process.exit(1);
      if (stopping) return;
      stopping = true;
      stop().then(
        () => process.exit(0),
        error => {
          process.stderr.write(`robot-vasp: The program did not stop in order (${error}).\n`);
          process.exit(1);
        },
      );
    });
}

/** As a shell tells it: 128 and the number of the signal. */
const INTERRUPTED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type Interrupted = (typeof INTERRUPTED)[keyof typeof INTERRUPTED];

/** Calls `stop` with the exit code at the first of these signals. A second one ends the process. Returns what calls it off. */
export function whenInterrupted(stop: (code: Interrupted) => void): () => void {
  const signals = Object.keys(INTERRUPTED) as (keyof typeof INTERRUPTED)[];
  const callOff = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  function onSignal(signal: keyof typeof INTERRUPTED): void {
    callOff();
    stop(INTERRUPTED[signal]);
  }
  for (const signal of signals) process.on(signal, onSignal);
  return callOff;
}
