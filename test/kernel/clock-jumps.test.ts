import { expect, onTestFinished, test } from 'vitest';
import { sleep, systemClock, watchClock } from '../../src/kernel/clock.ts';

/** The clock of the machine, which `set` moves. */
function settableClock() {
  let moved = 0;
  return {
    now: () => systemClock.now() + moved,
    set: (ms: number) => {
      moved += ms;
    },
  };
}

const near = (ms: number) => [ms - 200, ms + 200] as const;

test('a jump is measured, also one that is taken back', async () => {
  const clock = settableClock();
  const watch = watchClock(clock);
  onTestFinished(watch.stop);
  await sleep(30);
  expect(watch.jumpMs()).toBe(0);
  clock.set(-3_600_000);
  const [least, most] = near(-3_600_000);
  const jump = watch.jumpMs();
  expect([jump >= least, jump <= most]).toEqual([true, true]);
  clock.set(3_600_000);
  expect(Math.abs(watch.jumpMs())).toBeGreaterThan(3_599_000);
});

test('a jump that nobody asks for is seen by the watch itself', async () => {
  const clock = settableClock();
  const watch = watchClock(clock);
  onTestFinished(watch.stop);
  clock.set(60_000);
  await sleep(400);
  clock.set(-60_000);
  expect(Math.abs(watch.jumpMs())).toBeGreaterThan(59_000);
});
