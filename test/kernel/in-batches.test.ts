import { expect, test } from 'vitest';
import { inBatches } from '../../src/kernel/in-batches.ts';

test('items of one turn go out together, each with its own answer', async () => {
  const sent: number[][] = [];
  const double = inBatches<number, number>(async items => {
    sent.push([...items]);
    return items.map(item => 2 * item);
  });
  expect(await Promise.all([double(1), double(2), Promise.resolve(3).then(double)])).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(sent).toEqual([[1, 2, 3], [4]]);
});

test('a batch has at most 100 items, and a failure concerns its own items alone', async () => {
  const refuseLarge = inBatches<number, number>(async items => {
    if (items.length === 100) throw new Error('too large');
    return items;
  });
  const answers = await Promise.allSettled(Array.from({ length: 102 }, (_, i) => refuseLarge(i)));
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(100);
  expect(answers.slice(100)).toEqual([
    { status: 'fulfilled', value: 100 },
    { status: 'fulfilled', value: 101 },
  ]);
});
