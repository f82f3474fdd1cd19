import { elapsedMs } from '../kernel/clock.ts';

/** As a shell tells it: 128 and the number of the signal. */
const INTERRUPTED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof INTERRUPTED;
export type Interrupted = (typeof INTERRUPTED)[Signal];

/** `timeout`, npm and a terminal send one signal twice: to the process, and to its group. */
const SAME_SIGNAL_MS = 500;

/** The first signal stops cleanly, a later SIGTERM or SIGINT at once. A terminal that closes may send SIGHUP at any time. */
export function whenStopped(stop: () => Promise<void>): void {
  hear(
    () =>
      void stop().then(
        () => process.exit(0),
        error => {
          process.stderr.write(`robot-vasp: The program did not stop in order (${error}).\n`);
          process.exit(1);
        },
      ),
    signal => {
      if (signal !== 'SIGHUP') process.exit(1);
    },
  );
}

/** Calls `stop` with the exit code at the first of these signals. A later one ends the process. Returns what calls it off. */
export const whenInterrupted = (stop: (code: Interrupted) => void): (() => void) =>
  hear(
    signal => stop(INTERRUPTED[signal]),
    signal => process.exit(INTERRUPTED[signal]),
  );

function hear(first: (signal: Signal) => void, later: (signal: Signal) => void): () => void {
  const signals = Object.keys(INTERRUPTED) as Signal[];
  let firstAt: number | undefined;
  const onSignal = (signal: Signal) => {
    if (firstAt !== undefined && elapsedMs() - firstAt > SAME_SIGNAL_MS) later(signal);
    if (firstAt !== undefined) return;
    firstAt = elapsedMs();
    first(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
