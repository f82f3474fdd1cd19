import { expect, test } from 'vitest';
import { coalesce } from '../../src/kernel/coalesce.ts';

const counting = () => {
  let asked = 0;
  return coalesce(async () => {
    asked += 1;
    if (asked === 3) throw new Error('the third');
    return asked;
  });
};

test('calls in one go share one answer', async () => {
  const ask = counting();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
});

test('a later call asks anew, although the first one has no answer yet', async () => {
  const ask = counting();
  const first = ask();
  await null;
  expect(await Promise.all([first, ask()])).toEqual([1, 2]);
});

test('a failure is shared, and not kept', async () => {
  const ask = counting();
  await ask();
  await ask();
  const failed = await Promise.allSettled([ask(), ask()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask()).toBe(4);
});
