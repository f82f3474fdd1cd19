import { describe, expect, test } from 'vitest';
import { actAs } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { createLoop, pause } from '../../src/timers/loop.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';
import { createTimers } from '../../src/timers/timers.ts';
import { gate, KIND, turn } from '../support/timers/test-timers.ts';

describe('the loop', () => {
  test('answers the requests of one turn with one call', async () => {
    const calls: boolean[] = [];
    const loop = createLoop(timeIsUp => calls.push(timeIsUp));
    loop.soon();
    loop.soon();
    await turn();
    expect(calls).toEqual([false]);
    loop.soon();
    await turn();
    expect(calls).toEqual([false, false]);
    loop.stop();
  });

  test('wakes once, at the earliest requested time', async () => {
    const woken = gate();
    const calls: boolean[] = [];
    const loop = createLoop(timeIsUp => {
      calls.push(timeIsUp);
      woken.open();
    });
    loop.within(3_600_000);
    loop.within(5);
    loop.within(1_000_000);
    await woken.opened;
    expect(calls).toEqual([true]);
    loop.stop();
  });

  test('after it was stopped it calls nobody', async () => {
    const calls: boolean[] = [];
    const loop = createLoop(timeIsUp => calls.push(timeIsUp));
    loop.soon();
    loop.within(1);
    loop.stop();
    loop.soon();
    loop.within(1);
    const control = gate();
    const other = createLoop(() => control.open());
    other.within(20);
    await control.opened;
    other.stop();
    expect(calls).toEqual([]);
  });

  test('a pause ends at once when its signal aborts', async () => {
    const stop = new AbortController();
    const paused = pause(3_600_000, stop.signal);
    stop.abort();
    await paused;
    await pause(3_600_000, stop.signal);
    await pause(1);
  });
});

test('on the real clock a timer runs by itself when it is due, not before, and again as it asks', async () => {
  const db = openDb(':memory:');
  const clock = sandboxClock(db, systemClock);
  const timers = createTimers({ db, clock, log: silentLog });
  const ended = gate();
  const late: number[] = [];
  const dueAt = clock.now('a') + 30;
  const run = () => {
    late.push(clock.now('a') - dueAt);
    if (late.length === 2) ended.open();
    return late.length === 1 ? { againAt: dueAt + 60 } : {};
  };
  timers.start({
    [KIND]: run,
    'enclave.verification.time-out': run,
    'enclave.callback.deliver': run,
    'robot.deposit.inquire': run,
  } as unknown as Parameters<typeof timers.start>[0]);
  write(db, tx =>
    timers.schedule(tx, KIND, { key: 'x', owner: 'a', dueAt, why: '', payload: { uuid: 'x' } }),
  );
  await ended.opened;
  expect(late[0]).toBeGreaterThanOrEqual(0);
  expect(late[1]).toBeGreaterThanOrEqual(60);
  await timers.stop();
  expect(timers.pending(actAs('a'))).toEqual([]);
  db.close();
});
