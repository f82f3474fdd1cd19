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
