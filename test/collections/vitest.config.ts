import { defineConfig } from 'vitest/config';

/** `npm run test:collections`: the collections in the programs that they are for. HURL names a `hurl` of your own. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/collections/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 180_000,
  },
});
