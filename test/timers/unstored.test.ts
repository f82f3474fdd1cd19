import { beforeEach, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { write } from '../../src/db/transaction.ts';
import { createTestTimers, gate, KIND, START, type TestTimers } from '../support/timers/test-timers.ts';

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
