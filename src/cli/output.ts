import { styleText } from 'node:util';
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

let isReaderNeeded = true;
/** From now on a command does its work to the end without a reader: it writes files. */
export const goOnWithoutReader = (): void => {
  isReaderNeeded = false;
};

/**
 * Ends a command whose output cannot be written: silently where the reader has gone, as with `head`, else with one line. A
 * server goes on: `lastNet` notes it.
 */
export function endWithoutOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const isReaderGone = READER_GONE.includes(String(error.code));
      if (isReaderGone && !isReaderNeeded) return;
      if (process.listenerCount('uncaughtException') > 0) throw error;
      if (isReaderGone) process.exit(NO_READER);
      process.stderr.write(`robot-vasp: the output cannot be written (${error.code}).\n`);
      process.exit(1);
    });
}
