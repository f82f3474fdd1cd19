import { defineConfig } from 'vitest/config';

/** `XRPL_URL=ws://… npm run test:xrpl`: one file after another, with the patience that a network needs. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/xrpl/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
