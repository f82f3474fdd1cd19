/** As after SIGPIPE: 128 + 13. */
const NO_READER = 141;

/**
 * Ends a command whose output cannot be written: silently where the reader has gone, as with `head`, else with one line. A
 * server goes on: `lastNet` notes it.
 */
export function endWithoutOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (process.listenerCount('uncaughtException') > 0) throw error;
      if (error.code === 'EPIPE') process.exit(NO_READER);
      process.stderr.write(`robot-vasp: the output cannot be written (${error.code}).\n`);
      process.exit(1);
    });
}
