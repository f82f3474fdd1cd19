import { defineConfig } from 'vitest/config';

/** `npm run test:cells`: three cells behind the real HAProxy (apt-get install haproxy). */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/cells/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
