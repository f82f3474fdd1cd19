import { expect, test } from 'vitest';
import { remember } from '../../src/kernel/rate-limit.ts';

test('a result is made once, for a long text each time', () => {
  const made: number[] = [];
  const length = remember(10, text => {
    made.push(text.length);
    return text.length;
  });
  for (const size of [3, 3, 2_000, 2_000, 2_001, 2_001]) expect(length('x'.repeat(size))).toBe(size);
  expect(made).toEqual([3, 2_000, 2_001, 2_001]);
});

test('more results than are kept begin anew', () => {
  let made = 0;
  const same = remember(2, text => {
    made += 1;
    return text;
  });
  for (const text of ['a', 'b', 'a', 'c', 'a']) expect(same(text)).toBe(text);
  expect(made).toBe(4);
});
