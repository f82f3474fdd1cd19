import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { checkpointInThread } from '../../src/db/checkpoints.ts';
import { openDb } from '../../src/db/open.ts';
import { clocks } from '../../src/db/schema/runtime.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { until } from '../support/until.ts';

const at = scratchDatabase();
const COMMITS = 60;
const PAGES_PER_COMMIT = 50;
const ROWS_UNDER_LOAD = 4;
const PAGE = 'x'.repeat(4_000);

function opened(name: string, pace: { rareMs?: number; restAfterMs?: number; endAfterMs?: number } = {}) {
  const path = at(name);
  const db = openDb(path);
  const stop = checkpointInThread(db, path, { restAfterMs: 50, ...pace });
  const close = () => {
    stop();
    db.close();
  };
  return { path, db, close };
}

function fill(db: ReturnType<typeof openDb>, round = 1, rows = PAGES_PER_COMMIT): void {
  for (let commit = 0; commit < COMMITS; commit++)
    write(db, tx => {
      for (let row = 0; row < rows; row++) insertClock(tx, `${round} ${commit} ${row} ${PAGE}`);
    });
}

const insertClock = (tx: Tx, owner: string) =>
  void tx.orm.insert(clocks).values({ owner, offsetMs: 0 }).run();

test('a thread copies the log into the database, and shortens the log at rest', async () => {
  const { path, db, close } = opened('thread.sqlite');
  onTestFinished(close);
  fill(db);
  const pages = COMMITS * PAGES_PER_COMMIT;
  await until(() => statSync(path).size > pages * PAGE.length);
  await until(() => statSync(`${path}-wal`).size === 0);
  expect(db.orm.select().from(clocks).all()).toHaveLength(pages);
});

test('the log stays short while commits go on without a pause', async () => {
  const { path, db, close } = opened('busy.sqlite', { restAfterMs: 60_000 });
  onTestFinished(close);
  const load = loadOn(db, path);
  while (load.written < 200_000_000) await load.commit();
  expect(load.longest).toBeLessThan(100_000_000);
  expect(load.cuts).toBeGreaterThan(1);
});

test('a log that another program reads stays whole, and is cut afterwards', async () => {
  const { path, db, close } = opened('read.sqlite', { restAfterMs: 60_000 });
  onTestFinished(close);
  const reader = new Sqlite(path);
  onTestFinished(() => void reader.close());
  const owners = reader.prepare('SELECT count(*) FROM runtime_clocks').pluck();
  write(db, tx => insertClock(tx, 'first'));
  reader.exec('BEGIN');
  expect(owners.get()).toBe(1);
  const load = loadOn(db, path);
  while (load.written < 40_000_000) await load.commit();
  expect([owners.get(), load.cuts]).toEqual([1, 0]);
  reader.exec('COMMIT');
  while (load.cuts === 0) await load.commit();
});

/** Commits that write as many bytes in a second as the program does under full load. */
function loadOn(db: ReturnType<typeof openDb>, path: string) {
  let size = 0;
  const load = {
    written: 0,
    longest: 0,
    cuts: 0,
    async commit() {
      write(db, tx => {
        for (let row = 0; row < ROWS_UNDER_LOAD; row++)
          insertClock(tx, `${performance.now()} ${row} ${PAGE}`);
      });
      const before = size;
      size = statSync(`${path}-wal`).size;
      load.longest = Math.max(load.longest, size);
      if (size < before) load.cuts += 1;
      else load.written += size - before;
      await pause(1);
    },
  };
  return load;
}

test('the next commit cuts a log that another connection has copied', () => {
  const path = at('cut.sqlite');
  const db = openDb(path);
  onTestFinished(db.close);
  fill(db);
  const full = statSync(`${path}-wal`).size;
  db.sqlite.pragma('wal_checkpoint(PASSIVE)');
  expect(statSync(`${path}-wal`).size).toBe(full);
  write(db, tx => insertClock(tx, 'next'));
  expect(statSync(`${path}-wal`).size).toBeLessThan(full / 100);
});

test('closing waits for the thread, and leaves the database alone in its folder', () => {
  const { path, db, close } = opened('closed.sqlite');
  fill(db);
  close();
  expect([`${path}-wal`, `${path}-shm`].filter(existsSync)).toEqual([]);
});

test('a short log starts no thread', async () => {
  const { path, db, close } = opened('short.sqlite');
  onTestFinished(close);
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  for (let commit = 0; commit < COMMITS; commit++) write(db, tx => insertClock(tx, `${commit}`));
  await pause(200);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(COMMITS * 4_096);
});

test('few commits are copied without a thread', async () => {
  const { path, db, close } = opened('rare.sqlite', { rareMs: 0 });
  onTestFinished(close);
  const before = statSync(path).size;
  fill(db, 1, 10);
  await until(() => statSync(path).size > before + COMMITS * 10 * PAGE.length);
  expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
});

test('few commits that are large are copied by the thread', async () => {
  const { path, db, close } = opened('large.sqlite', { rareMs: 0 });
  onTestFinished(close);
  const before = statSync(path).size;
  fill(db);
  await until(() => process.getActiveResourcesInfo().includes('MessagePort'));
  await until(() => statSync(path).size > before + COMMITS * PAGES_PER_COMMIT * PAGE.length);
});

test('a thread that has ended after a rest is followed by another one', async () => {
  const { path, db, close } = opened('twice.sqlite', { endAfterMs: 500 });
  onTestFinished(close);
  for (const round of [1, 2]) {
    const before = statSync(path).size;
    fill(db, round);
    await until(() => statSync(`${path}-wal`).size === 0);
    expect(statSync(path).size).toBeGreaterThan(before);
    await until(() => !process.getActiveResourcesInfo().includes('MessagePort'));
  }
});

test('commits that come while the thread ends are copied, too', async () => {
  const { path, db, close } = opened('ending.sqlite', { endAfterMs: 0 });
  onTestFinished(close);
  for (let round = 1; round <= 12; round++) {
    fill(db, round, 10);
    await until(() => statSync(`${path}-wal`).size === 0, 1);
  }
  expect(db.orm.select().from(clocks).all()).toHaveLength(12 * COMMITS * 10);
});
