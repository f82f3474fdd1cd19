import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { program } from '../support/process/program.ts';

const SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name';

async function databaseAfterStart(prepare: (file: string) => void = () => {}): Promise<Sqlite.Database> {
  const own = await program();
  onTestFinished(() => own.close());
  const file = join(own.folder, 'robot.sqlite');
  prepare(file);
  await own.start();
  await own.stop();
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => void db.close());
  return db;
}

function schemaOfCode() {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  return db.sqlite.prepare(SCHEMA).all();
}

test('a new database has the schema, in small pages, so that a commit writes little', async () => {
  const db = await databaseAfterStart();
  expect(db.prepare(SCHEMA).all()).toEqual(schemaOfCode());
  expect(db.pragma('page_size', { simple: true })).toBe(1_024);
});

test('an empty file, and a log without its database, become a database', async () => {
  for (const prepare of [
    (file: string) => writeFileSync(file, ''),
    (file: string) => writeFileSync(`${file}-wal`, 'of a database that is gone'),
  ])
    expect((await databaseAfterStart(prepare)).prepare(SCHEMA).all()).toEqual(schemaOfCode());
});
