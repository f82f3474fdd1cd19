import Sqlite from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/open.ts';
import { clocks } from '../../src/db/schema/runtime.ts';
import { afterCommit, groupCommit, joinNextGroup, onCommit, type Tx, write } from '../../src/db/transaction.ts';
import { elapsedMs, nextTurn } from '../../src/kernel/clock.ts';
import { StorageUnavailable } from '../../src/kernel/storage-trouble.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();
let db: Db;
let path: string;
let opened = 0;
beforeEach(() => {
  path = at(`together-${opened++}.sqlite`);
  db = openDb(path);
  return () => db.close();
});

const add = (tx: Tx, owner: string) => void tx.orm.insert(clocks).values({ owner, offsetMs: 1 }).run();
const owners = () =>
  db.orm
    .select()
    .from(clocks)
    .all()
    .map(row => row.owner)
    .sort();

test('the changes of one turn commit once, in order, and each call gets its own result', async () => {
  let commits = 0;
  const order: string[] = [];
  const answers = await Promise.all(
    ['a', 'b', 'c'].map(owner =>
      groupCommit(db, tx => {
        if (order.length === 0) afterCommit(tx, () => void commits++);
        order.push(owner);
        add(tx, owner);
        return `${owner}!`;
      }),
    ),
  );
  expect(answers).toEqual(['a!', 'b!', 'c!']);
  expect(order).toEqual(['a', 'b', 'c']);
  expect([commits, owners()]).toEqual([1, ['a', 'b', 'c']]);
});

test('what a group has left after 20 ms is the next one: others are served between them, and the order stays', async () => {
  const order: string[] = [];
  const long = (owner: string) =>
    groupCommit(db, tx => {
      order.push(owner);
      add(tx, owner);
      for (const since = elapsedMs(); elapsedMs() - since < 21; );
    });
  const changes = ['a', 'b', 'c'].map(long);
  await changes[0];
  order.push(`committed: ${owners()}`);
  await Promise.all([...changes, groupCommit(db, () => void order.push('came later'))]);
  expect(order).toEqual(['a', 'committed: a', 'b', 'c', 'came later']);
});

test('it resolves after the commit: another connection sees what was written', async () => {
  const other = new Sqlite(path, { readonly: true });
  try {
    const seen = () => other.prepare('SELECT owner FROM runtime_clocks').all();
    const written = groupCommit(db, tx => add(tx, 'a'));
    expect(seen()).toEqual([]);
    await written;
    expect(seen()).toEqual([{ owner: 'a' }]);
  } finally {
    other.close();
  }
});

test('a change that throws is undone alone', async () => {
  const results = await Promise.allSettled([
    groupCommit(db, tx => add(tx, 'a')),
    groupCommit(db, tx => {
      add(tx, 'b');
      throw new Error('no');
    }),
    groupCommit(db, tx => add(tx, 'c')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { message: 'no' } });
  expect(owners()).toEqual(['a', 'c']);
});

test('a database that takes nothing refuses all of them, and takes the next ones', async () => {
  const other = new Sqlite(path);
  other.exec('BEGIN IMMEDIATE');
  const results = await Promise.allSettled([groupCommit(db, tx => add(tx, 'a')), groupCommit(db, tx => add(tx, 'b'))]);
  expect(results.map(result => result.status === 'rejected' && result.reason)).toEqual([
    expect.any(StorageUnavailable),
    expect.any(StorageUnavailable),
  ]);
  other.exec('ROLLBACK');
  other.close();
  await groupCommit(db, tx => add(tx, 'c'));
  expect(owners()).toEqual(['c']);
});

test('a transaction of its own in the same turn is not part of it', async () => {
  const together = groupCommit(db, tx => add(tx, 'later'));
  write(db, tx => add(tx, 'now'));
  expect(owners()).toEqual(['now']);
  await together;
  expect(owners()).toEqual(['later', 'now']);
});

test('changes of the next turns join the group, and so does a change without haste', async () => {
  await Promise.all(['x', 'y'].map(owner => groupCommit(db, tx => add(tx, owner))));
  let commits = 0;
  const end = onCommit(db, () => void commits++);
  const patient = joinNextGroup(db, 60_000, tx => add(tx, 'patient'));
  const first = groupCommit(db, tx => add(tx, 'a'));
  await nextTurn();
  await Promise.all([first, groupCommit(db, tx => add(tx, 'b')), patient]);
  end();
  expect([commits, owners()]).toEqual([1, ['a', 'b', 'patient', 'x', 'y']]);
});

test('a change without haste commits alone when no other one comes', async () => {
  await joinNextGroup(db, 1, tx => add(tx, 'patient'));
  expect(owners()).toEqual(['patient']);
});

test('a change that a hook asks for waits behind the rest of a group that was too slow', async () => {
  const order: string[] = [];
  const later: Promise<unknown>[] = [];
  const slow = (owner: string) => (tx: Tx) => {
    order.push(owner);
    add(tx, owner);
    for (const end = elapsedMs() + 25; elapsedMs() < end; );
  };
  const first = groupCommit(db, tx => {
    slow('1')(tx);
    afterCommit(tx, () => later.push(groupCommit(db, slow('3'))));
  });
  await Promise.all([first, groupCommit(db, slow('2'))]);
  await Promise.all(later);
  expect([order, owners()]).toEqual([
    ['1', '2', '3'],
    ['1', '2', '3'],
  ]);
});
