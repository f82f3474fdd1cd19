import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/crash/**', 'node_modules/**'],
    globalSetup: ['test/support/browser/install-chromium.ts'],
    pool: 'forks',
    // Importing the program costs more than most tests: it is imported once per worker, not once per file.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
