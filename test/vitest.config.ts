import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Every test file is in one tier. `npm test` runs `unit` and `fast`, `npm run test:slow` runs `slow`. */
const UNIT = [
  'test/architecture.test.ts',
  'test/imports.test.ts',
  'test/contract/**/*.test.ts',
  'test/db/**/*.test.ts',
  'test/judge/**/*.test.ts',
  'test/kernel/**/*.test.ts',
  'test/screening/**/*.test.ts',
  'test/timers/**/*.test.ts',
];
const SLOW = 'test/**/*.slow.test.ts';
/** Each has a configuration or a command of its own. */
const APART = ['test/cells/**', 'test/crash/**', 'test/foreign/**', 'test/hostile/random/**'];
const TIERS = {
  unit: { include: UNIT, exclude: [SLOW] },
  fast: { include: ['test/**/*.test.ts'], exclude: [...UNIT, SLOW, ...APART] },
  slow: { include: [SLOW], exclude: APART },
};
/** The files that take 50 s and more, the longest first. They start first, so that none of them is the last one. */
const LONG = [
  'test/plans/legal-variants.slow.test.ts',
  'test/plans/independent/deposits.slow.test.ts',
  'test/plans/independent/withdrawals.slow.test.ts',
  'test/plans/independent/answers.slow.test.ts',
  'test/plans/independent/right.slow.test.ts',
  'test/plans/alone.slow.test.ts',
  'test/cli/check.slow.test.ts',
  'test/network-trouble/many.slow.test.ts',
  'test/e2e/console-tests.slow.test.ts',
  'test/plans/mutants.slow.test.ts',
  'test/plans/other-right-vasps.slow.test.ts',
  'test/e2e/crash-two-programs.slow.test.ts',
  'test/e2e/console-pages.slow.test.ts',
  'test/plans/premise.slow.test.ts',
  'test/plans/hosted-plan.slow.test.ts',
  'test/e2e/restart.slow.test.ts',
  'test/plans/persons-nowhere.slow.test.ts',
  'test/testing/damaged-package.slow.test.ts',
  'test/storage/restore.slow.test.ts',
  'test/e2e/demo.slow.test.ts',
  'test/ports/chain.slow.test.ts',
];

const CORES = Math.max(2, availableParallelism());
/** Workers wait for much of their time: for other processes, browsers and timers. */
const WORKERS_PER_CORE = { unit: 2, fast: 2, slow: 2.5 };

/** A new clone has no durations of an earlier run, and vitest then goes by the size of the files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const placeOf = ({ moduleId }: TestSpecification) => LONG.findIndex(path => moduleId.endsWith(`/${path}`));
    const others = (await super.sort(files)).filter(file => placeOf(file) < 0);
    const long = files.filter(file => placeOf(file) >= 0).sort((one, other) => placeOf(one) - placeOf(other));
    return [...long, ...others];
  }
}

export default defineConfig({
  // As in the bundle: a module that was compiled for Node.js 24.19 to 24.21 aborts.
  resolve: { alias: { 'better-sqlite3': new URL('../src/kernel/sqlite-driver.ts', import.meta.url).pathname } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html', 'lcov'] },
    // Importing the program costs more than most tests: it is imported once per worker, not once per file.
    isolate: false,
    // A transformed module serves every project, and the next command.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/support/process/end-children.ts'],
    projects: Object.entries(TIERS).map(([name, { include, exclude }]) => ({
      extends: true,
      test: {
        name,
        maxWorkers: CORES * WORKERS_PER_CORE[name as keyof typeof TIERS],
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
