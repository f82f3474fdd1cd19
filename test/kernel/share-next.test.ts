import { expect, test } from 'vitest';
import { shareNext } from '../../src/kernel/turns.ts';

test('one call at a time; those who come meanwhile share the next one', async () => {
  const answers: ((answer: number) => void)[] = [];
  const ask = shareNext(() => new Promise<number>(resolve => answers.push(resolve)));
  const [first, second, third] = [ask(), ask(), ask()];
  expect(answers).toHaveLength(1);
  answers[0]!(1);
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  expect(answers).toHaveLength(2);
  answers[1]!(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await new Promise(setImmediate);
  const fourth = ask();
  expect(answers).toHaveLength(3);
  answers[2]!(3);
  expect(await fourth).toBe(3);
});

test('a call that fails fails those who share it, and the next one runs', async () => {
  let calls = 0;
  const ask = shareNext(async () => {
    calls++;
    if (calls === 1) throw new Error('refused');
    return calls;
  });
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe(2);
});
