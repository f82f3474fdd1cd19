/**
 * Every test file is in exactly one tier, by its path. `npm test` runs `unit` and `fast`; `npm run test:slow` runs
 * `slow`; a file of `apart` has a command of its own.
 */
export const UNIT = [
  'test/architecture.test.ts',
  'test/imports.test.ts',
  'test/tiers.test.ts',
  'test/contract/**',
  'test/db/**',
  'test/judge/**',
  'test/kernel/**',
  'test/screening/**',
  'test/timers/**',
];

/** Browsers, processes, networks that fail, packaging: what takes more than a few seconds. */
export const SLOW = [
  'test/app/foreign-answers.test.ts',
  'test/app/robot-only.test.ts',
  'test/chains/ethereum-reading.test.ts',
  'test/cli/init.test.ts',
  'test/cli/output.test.ts',
  'test/cli/check.test.ts',
  'test/cli/check-real-time.test.ts',
  'test/cli/check-stopped.test.ts',
  'test/cli/running.test.ts',
  'test/cli/scenarios.test.ts',
  'test/cli/hostile-server.test.ts',
  'test/cli/named-files.test.ts',
  'test/cli/serve.test.ts',
  'test/console/korean-pages.test.ts',
  'test/devnet/ethereum.test.ts',
  'test/devnet/journal.test.ts',
  'test/devnet/xrpl/all-types.test.ts',
  'test/devnet/xrpl/bad-input.test.ts',
  'test/devnet/xrpl/cost.test.ts',
  'test/devnet/xrpl/random-transactions.test.ts',
  'test/devnet/xrpl/restart.test.ts',
  'test/e2e/**',
  'test/plans/run-endings.test.ts',
  'test/hosted/forget-under-way.test.ts',
  'test/http/largest-answers.test.ts',
  'test/hostile/attacks/**',
  'test/launch/node-22.test.ts',
  'test/launch/provide-sqlite.test.ts',
  'test/network-of-your-own.test.ts',
  'test/network-trouble/**',
  'test/plans/alone.test.ts',
  'test/plans/bad-vasps.test.ts',
  'test/plans/causes.test.ts',
  'test/plans/hosted-plan.test.ts',
  'test/plans/independent.test.ts',
  'test/plans/late-vasp.test.ts',
  'test/plans/mutants.test.ts',
  'test/plans/legal-variants.test.ts',
  'test/plans/other-right-vasps.test.ts',
  'test/plans/persons-nowhere.test.ts',
  'test/plans/premise.test.ts',
  'test/plans/silent-vasp.test.ts',
  'test/plans/true-texts.test.ts',
  'test/ports/chain.test.ts',
  'test/readme-ci.test.ts',
  'test/readme-testcontainers.test.ts',
  'test/readme.test.ts',
  'test/reference-vasp/hosted.test.ts',
  'test/robot/long-histories.test.ts',
  'test/sandbox/chain-reset.test.ts',
  'test/scenarios/advance-waits.test.ts',
  'test/scenarios/deposit-reset.test.ts',
  'test/scenarios/moved-back.test.ts',
  'test/scenarios/users-restart.test.ts',
  'test/scenarios/xrp-deliveries.test.ts',
  'test/scenarios/two-programs.test.ts',
  'test/storage/**',
  'test/testing/build.test.ts',
  'test/testing/damaged-package.test.ts',
  'test/testing/dockerfile.test.ts',
  'test/testing/package.test.ts',
  'test/testing/test-runners.test.ts',
  'test/workflows.test.ts',
  'test/xrpl/conservation.test.ts',
];

/** The files that take 50 s and more, the longest first. They start first, so that none of them is the last one. */
export const LONG = [
  'test/plans/independent.test.ts',
  'test/plans/legal-variants.test.ts',
  'test/plans/alone.test.ts',
  'test/cli/check.test.ts',
  'test/network-trouble/many.test.ts',
  'test/e2e/console-tests.test.ts',
  'test/plans/mutants.test.ts',
  'test/plans/other-right-vasps.test.ts',
  'test/e2e/crash-two-programs.test.ts',
  'test/e2e/console-pages.test.ts',
  'test/plans/premise.test.ts',
  'test/plans/hosted-plan.test.ts',
  'test/e2e/restart.test.ts',
  'test/plans/persons-nowhere.test.ts',
  'test/testing/damaged-package.test.ts',
  'test/storage/restore.test.ts',
  'test/e2e/demo.test.ts',
  'test/ports/chain.test.ts',
];

/** Each has a configuration or a command of its own. */
export const APART = ['test/cells/**', 'test/crash/**', 'test/foreign/**', 'test/hostile/random/**'];

const ALL = 'test/**/*.test.ts';
const testsOf = (globs: readonly string[]) => globs.map(glob => glob.replace(/\*\*$/, '**/*.test.ts'));

export const TIERS = {
  unit: { include: testsOf(UNIT), exclude: [] },
  fast: { include: [ALL], exclude: [...UNIT, ...SLOW, ...APART] },
  slow: { include: testsOf(SLOW), exclude: [] },
} as const;
