import { expect, test } from 'vitest';
import { rateLimit } from '../../src/kernel/rate-limit.ts';

const ONE_EACH_HOUR = [1 / 3_600, 1] as const;

test('of very many keys the one that has asked least recently gets its tokens back, and no other', () => {
  let now = 0;
  const limit = rateLimit(() => now);
  const isServed = (key: string) => limit.take(key, ...ONE_EACH_HOUR).ok;
  for (let n = 0; n < 20_000; n++) isServed(`network ${n}`);
  now = 61_000;
  expect(isServed('network 0')).toBe(false);
  expect(isServed('one more')).toBe(true);
  expect(isServed('network 0')).toBe(false);
  expect(isServed('network 2')).toBe(false);
  expect(isServed('network 1')).toBe(true);
});

test('a refused caller waits for its own token, not longer', () => {
  let now = 0;
  const limit = rateLimit(() => now);
  expect(limit.take('key', 2, 1)).toEqual({ ok: true, remaining: 0, resetS: 1 });
  now = 499;
  expect(limit.take('key', 2, 1).ok).toBe(false);
  now = 500;
  expect(limit.take('key', 2, 1).ok).toBe(true);
});
