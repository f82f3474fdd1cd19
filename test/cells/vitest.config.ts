import { defineConfig } from 'vitest/config';

/** Three cells behind the real HAProxy, and a replica by the real Litestream. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/cells/**/*.test.ts'],
    globalSetup: 'test/cells/needed-programs.ts',
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
