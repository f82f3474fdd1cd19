import { defineConfig } from 'vitest/config';

/** `npm run test:foreign`: the program on Ethereum nodes of others, generated clients of its API, and the conformance suite of MCP. GETH names a `geth` of your own. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/foreign/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    // Building geth takes minutes.
    hookTimeout: 1_500_000,
  },
});
