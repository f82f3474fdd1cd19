import { styleText } from 'node:util';
import { elapsedMs } from '../kernel/clock.ts';
import { withInvisible } from '../kernel/text.ts';

export type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'gray' | 'magenta';
export interface Painted {
  text: string;
  colour: Colour;
}
export type Printed = string | readonly (string | Painted)[];

const hasColours = (): boolean =>
  process.env.FORCE_COLOR ? true : Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;

/** D-51: what a terminal may show. Control characters of foreign texts are visible, and only `Painted` parts have a colour. */
export function shownText(printed: Printed): string {
  if (typeof printed === 'string') return printed.split('\n').map(withInvisible).join('\n');
  return printed.map(part => (typeof part === 'string' ? withInvisible(part) : painted(part))).join('');
}

const painted = ({ text, colour }: Painted): string =>
  hasColours() ? styleText(colour, withInvisible(text)) : withInvisible(text);

/** As after SIGPIPE: 128 + 13. */
const NO_READER = 141;
/** Of a pipe, and of a terminal that was closed. */
const READER_GONE = ['EPIPE', 'EIO'];

let needless: 'reader' | 'output' | undefined;
/** From now on a command does its work to the end without a reader: it writes files. A server needs no output at all. */
export const goOnWithout = (what: 'reader' | 'output'): void => {
  needless = what;
};

/**
 * Ends a command whose output cannot be written: silently where the reader has gone, as with `head`, else with one line. A
 * server goes on: `lastNet` notes it once the server listens.
 */
export function endWithoutOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const isReaderGone = READER_GONE.includes(String(error.code));
      if (process.listenerCount('uncaughtException') > 0) throw error;
      if (needless === 'output' || (needless === 'reader' && isReaderGone)) return;
      if (isReaderGone) process.exit(NO_READER);
      process.stderr.write(`robot-vasp: the output cannot be written (${error.code}).\n`);
      process.exit(1);
    });
}

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
