import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { ROOT } from '../support/paths.ts';
import { program } from '../support/process/program.ts';

const SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name';
const MIGRATIONS = 'SELECT hash, created_at FROM __drizzle_migrations ORDER BY created_at';

async function schemaAfterStart(prepare: (file: string) => void = () => {}) {
  const own = await program();
  onTestFinished(() => own.close());
  const file = join(own.folder, 'robot.sqlite');
  prepare(file);
  await own.start();
  await own.stop();
  expect(readdirSync(own.folder).filter(name => name.endsWith('.new'))).toEqual([]);
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => void db.close());
  return [SCHEMA, MIGRATIONS].map(query => db.prepare(query).all());
}

function migratedSchema() {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  return [SCHEMA, MIGRATIONS].map(query => db.sqlite.prepare(query).all());
}

test('a new database is that of the build, with every migration', async () => {
  expect(existsSync(join(ROOT, 'dist', 'empty.sqlite'))).toBe(true);
  expect(await schemaAfterStart()).toEqual(migratedSchema());
});

test('an empty file, and a log without its database, are migrated step by step', async () => {
  expect(await schemaAfterStart(file => writeFileSync(file, ''))).toEqual(migratedSchema());
  expect(await schemaAfterStart(file => writeFileSync(`${file}-wal`, 'of a database that is gone'))).toEqual(
    migratedSchema(),
  );
});

test('its pages are small, so that a commit writes little', () => {
  const db = new Sqlite(join(ROOT, 'dist', 'empty.sqlite'), { readonly: true });
  onTestFinished(() => void db.close());
  expect(db.pragma('page_size', { simple: true })).toBe(2_048);
});
