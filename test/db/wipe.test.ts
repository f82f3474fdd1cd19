import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { deleteAndWipe, deleteWithoutTraces, wipeTraces } from '../../src/db/rewrite.ts';
import { write } from '../../src/db/transaction.ts';
import { sleep } from '../../src/kernel/interval.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();
const MARK = 'Zyxmark';
const ROWS = 20_000;

/** Names in no order, so that SQLite moves rows between pages all the time. */
const nameOf = (n: number): string =>
  `${(n * 2_654_435_761) % 2 ** 32} ${n % 3 ? 'other' : MARK} ${'x'.repeat(n % 200)}`;

function filled(path: string) {
  const db = openDb(path);
  onTestFinished(() => db.close());
  db.sqlite.exec('CREATE TABLE persons (id INTEGER PRIMARY KEY, name TEXT)');
  db.sqlite.exec('CREATE INDEX persons_name ON persons (name)');
  const insert = db.sqlite.prepare('INSERT INTO persons VALUES (?, ?)');
  const add = (from: number, to: number) =>
    write(db, () => {
      for (let n = from; n < to; n++) insert.run((n * 7_919) % 1_000_003, nameOf(n));
    });
  return { db, add };
}

const filesWith = (path: string): string[] =>
  readdirSync(dirname(path)).filter(name => readFileSync(join(dirname(path), name)).includes(MARK));
const deleteMarked = `DELETE FROM persons WHERE name LIKE '%${MARK}%'`;
const names = (sqlite: Sqlite.Database) => sqlite.prepare('SELECT name FROM persons ORDER BY name').pluck();

test('what SQLite has left in pages and in the log is wiped, while others write', async () => {
  const path = at('wiped.sqlite');
  const { db, add } = filled(path);
  deleteWithoutTraces(db);
  add(0, ROWS);
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  let written = ROWS;
  let isWiping = true;
  const writer = (async () => {
    for (; isWiping; written += 2) {
      // Neither is divisible by 3.
      if (written % 3 === 0) written += 1;
      add(written, written + 1);
      await sleep(1);
    }
  })();
  let wasLeft: string[] = [];
  await deleteAndWipe(db, tx => {
    tx.sqlite.exec(deleteMarked);
    wasLeft = filesWith(path);
  });
  isWiping = false;
  await writer;
  expect(written).toBeGreaterThan(ROWS + 10);
  expect(wasLeft).toContain('wiped.sqlite');
  expect(filesWith(path)).toEqual([]);
  // SQLite writes each page again: it has none in memory as it was.
  write(db, tx => tx.sqlite.exec('UPDATE persons SET id = -id WHERE id % 50 = 0'));
  expect(filesWith(path)).toEqual([]);
  expect(db.sqlite.pragma('user_version', { simple: true })).toBe(0);
  const other = new Sqlite(path, { readonly: true });
  onTestFinished(() => void other.close());
  expect(other.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(names(other).all()).toEqual(names(db.sqlite).all());
  const kept = [1, 2, 3_001, ROWS - 1];
  expect(names(other).all()).toEqual(expect.arrayContaining(kept.map(nameOf)));
});

test('zeros in the deleted places alone leave copies: the wipe is needed, and goes on after a kill', async () => {
  const path = at('left.sqlite');
  const { db, add } = filled(path);
  add(0, ROWS);
  // Free pages with content.
  db.sqlite.exec('CREATE TABLE former AS SELECT * FROM persons');
  db.sqlite.exec('DROP TABLE former');
  deleteWithoutTraces(db);
  write(db, tx => {
    tx.sqlite.exec(deleteMarked);
    tx.sqlite.pragma('user_version = 1');
  });
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  expect(filesWith(path)).toEqual(['left.sqlite']);
  await wipeTraces(db);
  expect(filesWith(path)).toEqual([]);
  expect(db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
});
