import { defineConfig } from 'vitest/config';

/** `npm run test:install`: the packed tarball, installed by package managers from their registry. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/install/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
