import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';

const HOUR = 3_600_000;

test('the time of a VASP at an earlier time of the machine; within an hour of moves it is the earliest', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const machine = { at: 100 * HOUR };
  const clock = sandboxClock(db, { now: () => machine.at });
  const advance = (hours: number) => write(db, tx => clock.moveTo(tx, 'a', clock.now('a') + hours * HOUR));
  const aheadAt = (hour: number, read = clock) => (read.timeAt('a', hour * HOUR) - hour * HOUR) / HOUR;
  expect(aheadAt(90)).toBe(0);
  advance(5);
  machine.at += 10 * HOUR;
  advance(20);
  advance(300);
  machine.at += 10 * HOUR;
  expect([90, 100, 101, 109, 110, 111, 119].map(hour => aheadAt(hour))).toEqual([0, 0, 5, 5, 5, 325, 325]);
  expect(aheadAt(109, sandboxClock(db, { now: () => machine.at }))).toBe(5);
  expect(clock.timeAt('b', 7)).toBe(7);
  write(db, tx => clock.reset(tx, 'a'));
  expect(aheadAt(109)).toBe(0);
});
