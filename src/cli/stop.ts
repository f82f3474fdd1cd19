/** The first SIGTERM or SIGINT stops cleanly, a second one at once. */
export function whenStopped(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1);
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
