import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/open.ts';
import * as enclave from '../../src/db/schema/enclave.ts';
import * as plans from '../../src/db/schema/plans.ts';
import * as robot from '../../src/db/schema/robot.ts';
import * as runtime from '../../src/db/schema/runtime.ts';
import * as tenants from '../../src/db/schema/tenants.ts';
import { write } from '../../src/db/transaction.ts';
import { openSqlite } from '../../src/kernel/sqlite-module.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();

const schemaOf = (db: Db) =>
  db.sqlite.prepare("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all();
const applied = (db: Db) => db.sqlite.prepare('SELECT count(*) AS n FROM __drizzle_migrations').get() as { n: number };

describe('migrations', () => {
  test('make a database where there is none, in a folder that is not there yet', () => {
    const path = at('new/folder/robot.sqlite');
    const db = openDb(path);
    expect(existsSync(path)).toBe(true);
    expect(applied(db).n).toBeGreaterThan(0);
    db.close();
  });

  test('are applied once: opening again changes nothing and keeps the rows', () => {
    const path = at('again.sqlite');
    const first = openDb(path);
    write(first, tx => tx.orm.insert(runtime.clocks).values({ owner: 'a', offsetMs: 5 }).run());
    const [schema, count] = [schemaOf(first), applied(first)];
    first.close();
    for (let opened = 0; opened < 2; opened++) {
      const again = openDb(path);
      expect(schemaOf(again)).toEqual(schema);
      expect(applied(again)).toEqual(count);
      expect(again.orm.select().from(runtime.clocks).all()).toEqual([{ owner: 'a', offsetMs: 5 }]);
      again.close();
    }
  });

  test('are made where an earlier start was ended before it had made them', () => {
    const path = at('ended.sqlite');
    const ended = openSqlite(path);
    ended.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
    ended.close();
    const db = openDb(path);
    expect(applied(db).n).toBeGreaterThan(0);
    db.close();
  });

  test('stand beside the program, in memory too', () => {
    const [one, two] = [openDb(':memory:'), openDb(':memory:')];
    write(one, tx => tx.orm.insert(runtime.clocks).values({ owner: 'a', offsetMs: 5 }).run());
    expect(two.orm.select().from(runtime.clocks).all()).toEqual([]);
    expect(schemaOf(one)).toEqual(schemaOf(two));
    one.close();
    two.close();
  });
});

const ROOMS = { enclave, plans, robot, runtime, tenants };
const tables = Object.entries(ROOMS).flatMap(([owner, schema]) =>
  Object.values(schema)
    .filter(table => table instanceof SQLiteTable)
    .map(table => [getTableName(table), owner, table] as const),
);

describe('the schema of the code is the schema of the migrations', () => {
  const db = openDb(':memory:');

  test.each(tables)('%s', (name, owner, table) => {
    expect(name).toMatch(new RegExp(`^${owner}_`));
    const columns = db.sqlite
      .prepare(`SELECT name, type, "notnull" AS required FROM pragma_table_info(?) ORDER BY name`)
      .all(name);
    const columnsOf = Object.values(getTableColumns(table) as Record<string, SQLiteColumn>);
    const wanted = columnsOf.map(column => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: column.notNull ? 1 : 0,
    }));
    wanted.sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(columns).toEqual(wanted);
    const indexes = db.sqlite
      .prepare('SELECT name, "unique" AS isUnique FROM pragma_index_list(?) WHERE origin = \'c\' ORDER BY name')
      .all(name);
    const wantedIndexes = getTableConfig(table)
      .indexes.map(({ config }) => ({ name: config.name, isUnique: config.unique ? 1 : 0 }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(indexes).toEqual(wantedIndexes);
  });

  test('no table is in the database that the code does not know', () => {
    const there = db.sqlite
      .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(row => (row as { name: string }).name);
    expect(there.filter(name => name !== '__drizzle_migrations').sort()).toEqual(tables.map(([name]) => name).sort());
  });
});

test('a file survives a crash of its process: it is written ahead', () => {
  const db = openDb(at('wal.sqlite'));
  expect(db.sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test('the search follows the verifications by triggers, and nothing else does', () => {
  const db = openDb(':memory:');
  const triggers = db.sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    .pluck()
    .all();
  expect(triggers).toEqual(['enclave_search_deleted', 'enclave_search_inserted', 'enclave_search_reported']);
  db.close();
});

test('D-55: one file makes the schema, and its end is the search', () => {
  expect(readdirSync('drizzle').filter(name => name.endsWith('.sql'))).toEqual(['0000_schema.sql']);
  const search = readFileSync('src/db/schema/search.sql', 'utf8');
  expect(readFileSync('drizzle/0000_schema.sql', 'utf8').endsWith(search)).toBe(true);
});
