import { copyFileSync, existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { clocks } from '../../src/db/schema/runtime.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createTestTimers, gate, START, turn, untilTurn } from '../support/timers/test-timers.ts';

const at = scratchDatabase();

/** The database as a process leaves it that is killed in this very moment. */
function killedNow(path: string): string {
  const image = `${path}.killed`;
  copyFileSync(path, image);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${image}-wal`);
  return image;
}

const owners = (db: ReturnType<typeof createTestTimers>['db']) =>
  db.orm
    .select()
    .from(clocks)
    .all()
    .map(({ owner }) => owner);

describe('killed and started again', () => {
  test('between the end of a handler and its commit: it runs again, and its effect stands once', async () => {
    const path = at('between.sqlite');
    const first = createTestTimers(path);
    let image = '';
    const effect = {
      apply: (tx: typeof first.db) => void tx.orm.insert(clocks).values({ owner: 'effect', offsetMs: 1 }).run(),
    };
    first.handle(() => {
      image = killedNow(path);
      return effect;
    });
    first.schedule('x');
    await first.timers.runDue('a');
    expect(owners(first.db)).toEqual(['effect']);

    const second = createTestTimers(image);
    expect(owners(second.db)).toEqual([]);
    expect(second.timers.pending(asCaller('a'))).toMatchObject([{ key: 'x', attempts: 0 }]);
    second.handle(() => effect);
    await second.timers.runDue('a');
    expect(second.names()).toEqual(['x']);
    expect(owners(second.db)).toEqual(['effect']);
    expect(second.timers.pending(asCaller('a'))).toEqual([]);
    await first.close();
    await second.close();
  });

  test('in the middle of the commit: neither the effect nor the end of the timer stands', async () => {
    const path = at('middle.sqlite');
    const first = createTestTimers(path);
    let image = '';
    first.handle(() => ({
      apply(tx) {
        tx.orm.insert(clocks).values({ owner: 'effect', offsetMs: 1 }).run();
        image = killedNow(path);
      },
    }));
    first.schedule('x');
    await first.timers.runDue('a');
    const second = createTestTimers(image);
    expect(owners(second.db)).toEqual([]);
    expect(second.timers.pending(asCaller('a'))).toMatchObject([{ key: 'x' }]);
    await first.close();
    await second.close();
  });

  test('after the commit: it does not run again', async () => {
    const path = at('after.sqlite');
    const first = createTestTimers(path);
    first.schedule('x');
    await first.timers.runDue('a');
    const second = createTestTimers(killedNow(path));
    await second.timers.runDue('a');
    await turn();
    expect(second.ran).toEqual([]);
    await first.close();
    await second.close();
  });

  test('what was due in the meantime runs at once, by itself, for every owner', async () => {
    const path = at('by-itself.sqlite');
    const first = createTestTimers(path);
    first.schedule('far', { owner: 'a', dueAt: START + 3_600_000 });
    await first.close();
    const second = createTestTimers(path);
    for (const owner of ['a', 'b', 'c']) second.schedule(`due ${owner}`, { owner });
    await untilTurn(() => second.ran.length === 3);
    expect(second.names().sort()).toEqual(['due a', 'due b', 'due c']);
    await second.close();
    const third = createTestTimers(path);
    expect(third.timers.pending(asCaller('a'))).toMatchObject([{ key: 'far' }]);
    await third.close();
  });
});

test('stopped in order: what runs is finished and committed, the rest waits for the next start', async () => {
  const path = at('stopped.sqlite');
  const first = createTestTimers(path);
  const release = gate();
  first.handle(async () => {
    await release.opened;
    return { apply: tx => void tx.orm.insert(clocks).values({ owner: 'effect', offsetMs: 1 }).run() };
  });
  first.schedule('running', { queue: 'one' });
  first.schedule('waiting', { queue: 'one' });
  await untilTurn(() => first.ran.length === 1);
  const stopped = first.timers.stop();
  release.open();
  await stopped;
  expect(owners(first.db)).toEqual(['effect']);
  expect(first.timers.pending(asCaller('a'))).toMatchObject([{ key: 'waiting', attempts: 0 }]);
  first.db.close();
});

test('a database that is locked by somebody else loses no finished work', async () => {
  const path = at('locked.sqlite');
  const first = createTestTimers(path);
  const other = createTestTimers(path);
  first.db.sqlite.pragma('busy_timeout = 0');
  const ended = gate();
  first.handle(() => {
    other.db.sqlite.exec('BEGIN IMMEDIATE');
    ended.open();
    return { apply: tx => void tx.orm.insert(clocks).values({ owner: 'effect', offsetMs: 1 }).run() };
  });
  first.schedule('x');
  await ended.opened;
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(owners(first.db)).toEqual([]);
  other.db.sqlite.exec('COMMIT');
  await untilTurn(() => first.timers.pending(asCaller('a')).length === 0);
  expect(owners(first.db)).toEqual(['effect']);
  expect(first.ran).toHaveLength(1);
  await other.close();
  await first.close();
});
