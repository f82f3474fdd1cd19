import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TIERS } from './tiers.ts';

const CORES = Math.max(2, availableParallelism());

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    // Importing the program costs more than most tests: it is imported once per worker, not once per file.
    isolate: false,
    projects: Object.entries(TIERS).map(([name, { include, exclude }]) => ({
      extends: true,
      test: {
        name,
        // A worker waits a third of its time: for ledgers, other processes and timers.
        maxWorkers: Math.ceil(CORES * 1.5),
        sequence: { groupOrder: name === 'slow' ? 1 : 0 },
        include: [...include],
        exclude: [...exclude],
        // Long enough for a slow machine under load: a limit ends what hangs, and measures nothing.
        testTimeout: name === 'slow' ? 120_000 : 40_000,
        hookTimeout: name === 'slow' ? 120_000 : 60_000,
        globalSetup: name === 'slow' ? ['test/support/browser/install-chromium.ts'] : [],
      },
    })),
  },
});
