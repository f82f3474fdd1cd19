import { beforeEach, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';
import { createTimers } from '../../src/timers/timers.ts';
import { createTestTimers, gate, KIND, START, type TestTimers, turn } from '../support/timers/test-timers.ts';

/** Timers that run at once have a row only when they have to wait. */

let on: TestTimers;
beforeEach(() => {
  on = createTestTimers();
  return () => on.close();
});

const SECOND = 1_000;
const runNow = (name: string, queue: string | null = null) =>
  write(on.db, tx =>
    on.timers.runNow(tx, KIND, {
      key: name,
      owner: 'a',
      queue,
      dueAt: on.clock.now('a'),
      why: name,
      payload: { uuid: name },
    }),
  );

test('it runs once, and has no row before, during and after its run', async () => {
  const rows: unknown[] = [];
  on.handle(name => {
    rows.push(on.row(name));
    return { apply: () => void rows.push(on.row(name)) };
  });
  runNow('x');
  rows.push(on.row('x'));
  await on.timers.runDue('a');
  expect([on.names(), rows]).toEqual([['x'], [undefined, undefined, undefined]]);
});

test('a transaction that is undone runs nothing', async () => {
  expect(() =>
    write(on.db, tx => {
      const timer = { key: 'x', owner: 'a', dueAt: START, why: '', payload: { uuid: 'x' } };
      on.timers.runNow(tx, KIND, timer);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  await on.timers.advance('a', SECOND);
  expect(on.names()).toEqual([]);
});

test('one that fails, and one that has to run again, have a row and the attempts that they have made', async () => {
  on.handle(name => {
    if (name === 'fails') throw new Error('no');
    return { againAt: START + 5 * SECOND, why: 'later' };
  });
  runNow('fails');
  runNow('waits');
  await on.timers.runDue('a');
  expect(on.row('fails')).toMatchObject({ dueAt: START + SECOND, attempts: 1, lastError: 'Error: no' });
  expect(on.row('waits')).toMatchObject({ dueAt: START + 5 * SECOND, attempts: 1, lastError: null, why: 'later' });
  on.handle(() => ({}));
  await on.timers.advance('a', 5 * SECOND);
  expect([on.names(), on.row('fails'), on.row('waits')]).toEqual([
    ['fails', 'waits', 'fails', 'waits'],
    undefined,
    undefined,
  ]);
});

test('a pending timer of the same key stays as it is', async () => {
  on.schedule('x', { dueAt: START + SECOND });
  runNow('x');
  await on.timers.runDue('a');
  expect([on.names(), on.row('x')?.dueAt]).toEqual([[], START + SECOND]);
});

test('a timer that was scheduled during the run takes the place of its next run', async () => {
  const { opened, open } = gate();
  on.handle(async () => {
    await opened;
    return { againAt: START + 5 * SECOND };
  });
  runNow('x');
  const ran = on.timers.runDue('a');
  on.schedule('x', { dueAt: START + 2 * SECOND });
  open();
  await ran;
  expect(on.row('x')).toMatchObject({ dueAt: START + 2 * SECOND, attempts: 0 });
});

test('those of one queue run one after the other', async () => {
  const { opened, open } = gate();
  on.handle(async name => {
    if (name === 'first') await opened;
    return {};
  });
  runNow('first', 'q');
  runNow('second', 'q');
  runNow('other');
  const ran = on.timers.runDue('a');
  expect(on.names()).toEqual(['first', 'other']);
  open();
  await ran;
  expect(on.names()).toEqual(['first', 'other', 'second']);
});

test('while very many wait, the next ones are stored, and all run once', async () => {
  const names = Array.from({ length: 1_200 }, (_, n) => `n${n}`);
  write(on.db, () => {
    for (const name of names) runNow(name);
  });
  write(on.db, () => {
    for (const name of names) runNow(`${name}b`);
  });
  expect(on.timers.countPending(asCaller('a'), 5_000)).toBeGreaterThan(0);
  await on.timers.runDue('a');
  expect([...on.names()].sort()).toEqual(names.flatMap(name => [name, `${name}b`]).sort());
});

test('one that waits behind a run that fails keeps the pause before the next attempt', async () => {
  const { opened, open } = gate();
  on.handle(async () => {
    await opened;
    throw new Error('no');
  });
  runNow('x');
  const ran = on.timers.runDue('a');
  runNow('x');
  open();
  await ran;
  expect([on.names(), on.row('x')]).toEqual([['x'], expect.objectContaining({ dueAt: START + SECOND, attempts: 1 })]);
});

test('with the timers of an owner those that wait are removed, and one that runs gets no row', async () => {
  const { opened, open } = gate();
  on.handle(async () => {
    await opened;
    throw new Error('no');
  });
  runNow('runs', 'q');
  const ran = on.timers.runDue('a');
  runNow('waits', 'q');
  write(on.db, tx => on.timers.deleteAll(tx, 'a'));
  open();
  await ran;
  expect([on.names(), on.timers.pending(asCaller('a'))]).toEqual([['runs'], []]);
});

test('after the time was set back the next ones run', async () => {
  write(on.db, tx => on.clock.moveTo(tx, 'a', START + 100 * SECOND));
  const { opened, open } = gate();
  on.handle(async name => {
    if (name === 'first') await opened;
    return {};
  });
  runNow('first', 'q');
  const ran = on.timers.runDue('a');
  runNow('second', 'q');
  write(on.db, tx => {
    on.timers.deleteAll(tx, 'a');
    on.clock.reset(tx, 'a');
  });
  open();
  await ran;
  runNow('third');
  await on.timers.runDue('a');
  expect(on.names()).toEqual(['first', 'third']);
});

test('where many wait for room, stored and not, they run in the order in which they became due', async () => {
  const { opened, open } = gate();
  on.handle(async () => {
    await opened;
    return {};
  });
  for (let n = 0; n < 64; n++) runNow(`n${n}`);
  const ran = on.timers.runDue('a');
  runNow('first', 'q');
  on.machine.at += 1;
  on.schedule('second', { queue: 'q' });
  on.machine.at += 1;
  runNow('third', 'q');
  open();
  await ran;
  expect(on.names().slice(64)).toEqual(['first', 'second', 'third']);
});

test('one that was ordered before the start runs at the start', async () => {
  const db = openDb(':memory:');
  const timers = createTimers({ db, clock: sandboxClock(db, { now: () => START }), log: silentLog });
  write(db, tx => timers.runNow(tx, KIND, { key: 'x', owner: 'a', dueAt: START, why: '', payload: { uuid: 'x' } }));
  await turn();
  await turn();
  const { opened, open } = gate();
  const handler = async () => {
    open();
    return {};
  };
  timers.start({ [KIND]: handler } as unknown as Parameters<typeof timers.start>[0]);
  await opened;
  await timers.stop();
  db.close();
});

test('one that waits is under way, too: what it is about is not deleted', async () => {
  const { opened, open } = gate();
  on.handle(async () => {
    await opened;
    return {};
  });
  runNow('runs', 'q');
  const ran = on.timers.runDue('a');
  runNow('waits', 'q');
  expect(on.timers.underWay().map(({ verificationUuid }) => verificationUuid)).toEqual(['runs', 'waits']);
  open();
  await ran;
  expect(on.timers.underWay()).toEqual([]);
});
