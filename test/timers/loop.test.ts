import { describe, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { type Db, openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { elapsedMs, steadyClock, systemClock } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { createLoop, pause } from '../../src/timers/loop.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';
import { createTimers, type Timers } from '../../src/timers/timers.ts';
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

/** Every kind that these tests use does `run`. */
const handlersOf = (run: (payload: { uuid: string }) => object) =>
  ({
    [KIND]: run,
    'enclave.verification.time-out': run,
    'enclave.callback.deliver': run,
    'robot.deposit.inquire': run,
  }) as unknown as Parameters<Timers['start']>[0];

const scheduled = (db: Db, timers: Timers, key: string, owner: string, dueAt: number) =>
  write(db, tx => timers.schedule(tx, KIND, { owner, dueAt, why: '', payload: { uuid: key } }));

test('what was due at the start runs, also when a timer becomes due before the first turn', async () => {
  const db = openDb(':memory:');
  const clock = sandboxClock(db, systemClock);
  const before = createTimers({ db, clock, log: silentLog });
  scheduled(db, before, 'stored', 'b', clock.now('b') - 1_000);
  const timers = createTimers({ db, clock, log: silentLog });
  scheduled(db, timers, 'soon', 'a', clock.now('a') + 1);
  const ran: string[] = [];
  const both = gate();
  for (const end = elapsedMs() + 5; elapsedMs() < end; );
  timers.start(
    handlersOf(({ uuid }) => {
      ran.push(uuid);
      if (ran.length === 2) both.open();
      return {};
    }),
  );
  await both.opened;
  expect(ran.sort()).toEqual(['soon', 'stored']);
  await timers.stop();
  db.close();
});

test('where the owners take turns, a timer that ends before its turn does not run, and others do not wait', async () => {
  const db = openDb(':memory:');
  const clock = sandboxClock(db, systemClock);
  const turnOfA = gate();
  const asked: string[] = [];
  const turnOf = (owner: string) => {
    asked.push(owner);
    return owner === 'a' ? turnOfA.opened : Promise.resolve();
  };
  const timers = createTimers({ db, clock, log: silentLog, turnOf });
  const ran: string[] = [];
  const [ofB, ofA] = [gate(), gate()];
  timers.start(
    handlersOf(({ uuid }) => {
      ran.push(uuid);
      (uuid === 'b' ? ofB : ofA).open();
      return {};
    }),
  );
  for (const name of ['canceled', 'kept']) scheduled(db, timers, name, 'a', clock.now('a') - 1_000);
  scheduled(db, timers, 'b', 'b', clock.now('b') - 1_000);
  await ofB.opened;
  write(db, tx => timers.cancel(tx, KIND, 'canceled'));
  turnOfA.open();
  await ofA.opened;
  expect(ran).toEqual(['b', 'kept']);
  expect(asked.filter(owner => owner === 'a')).toHaveLength(1);
  await timers.stop();
  db.close();
});

test('a clock is never ahead of the machine, also when this process stood still while it was read', () => {
  let standsStillMs = 0;
  const steady = steadyClock({
    now() {
      for (const end = elapsedMs() + standsStillMs; elapsedMs() < end; );
      return Date.now();
    },
  });
  standsStillMs = 30;
  steady.now();
  standsStillMs = 0;
  expect(steady.now()).toBeLessThanOrEqual(Date.now());
});

describe('while the database does not tell what is due', () => {
  const locked = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  /** Two owners have due timers. The first question about each owner fails. */
  async function started(turnOf?: (owner: string) => Promise<void>) {
    const db = openDb(':memory:');
    const clock = sandboxClock(db, systemClock);
    const isToFail = new Set(['a', 'b']);
    const maxOf = (owner: string) => {
      if (isToFail.delete(owner)) throw locked();
      return Number.POSITIVE_INFINITY;
    };
    const timers = createTimers({ db, clock, log: silentLog, turnOf, maxOf });
    for (const owner of ['a', 'b']) scheduled(db, timers, owner, owner, clock.now(owner) - 1_000);
    const ran: string[] = [];
    const both = gate();
    timers.start(
      handlersOf(({ uuid }) => {
        ran.push(uuid);
        if (ran.length === 2) both.open();
        return {};
      }),
    );
    await both.opened;
    await timers.stop();
    db.close();
  }

  test('due timers wait', () => started());
  test('where the owners take turns, due timers wait, too', () => started(() => Promise.resolve()));
});

test('a timer runs when it is due although the clock of the machine is set back by an hour', async () => {
  const db = openDb(':memory:');
  const machine = { behind: 0 };
  const steady = steadyClock({ now: () => systemClock.now() - machine.behind });
  const clock = sandboxClock(db, steady);
  const timers = createTimers({ db, clock, log: silentLog });
  const ended = gate();
  const times: number[] = [];
  timers.start(
    handlersOf(() => {
      times.push(clock.now('a'));
      if (times.length === 3) ended.open();
      return times.length < 3 ? { againAt: clock.now('a') + 20 } : {};
    }),
  );
  const began = clock.now('a');
  scheduled(db, timers, 'x', 'a', began + 20);
  machine.behind = 3_600_000;
  await ended.opened;
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(times[0]).toBeGreaterThanOrEqual(began + 20);
  machine.behind = 0;
  expect(steady.now()).toBeLessThanOrEqual(systemClock.now());
  await timers.stop();
  db.close();
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
  timers.start(handlersOf(run));
  scheduled(db, timers, 'x', 'a', dueAt);
  await ended.opened;
  expect(late[0]).toBeGreaterThanOrEqual(0);
  expect(late[1]).toBeGreaterThanOrEqual(60);
  await timers.stop();
  expect(timers.pending(asCaller('a'))).toEqual([]);
  db.close();
});
