import { defineConfig } from 'vitest/config';

/** `npm run test:crash`. CRASH_SEED repeats a run, CRASH_KILLS makes it shorter or longer. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/crash/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
  },
});
