import { expect, test } from 'vitest';
import { firstWithin, interval, later, repeat, sleep } from '../../src/kernel/clock.ts';

const MONTH_MS = 30 * 86_400_000;

test('a timer of a month does not end at once', async () => {
  const ended: string[] = [];
  const stops = [
    interval(MONTH_MS, () => ended.push('interval')),
    later(MONTH_MS, () => ended.push('later')),
    repeat(
      () => MONTH_MS,
      () => ended.push('repeat'),
    ),
  ];
  let settle = () => {};
  const never = new Promise<void>(resolve => {
    settle = resolve;
  });
  const within = firstWithin(MONTH_MS, [never]).then(() => ended.push('firstWithin'));
  await sleep(20);
  expect(ended).toEqual([]);
  for (const stop of stops) stop();
  settle();
  await within;
});
