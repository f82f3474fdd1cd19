import { defineConfig } from 'vitest/config';

/** `npm run test:hostile -- --requests 1000000`; HOSTILE_SEED repeats a run. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: ['test/hostile/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
