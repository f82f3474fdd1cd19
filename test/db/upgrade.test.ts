import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { expect, test } from 'vitest';
import { historyOf, newestHistory } from '../../src/db/history.ts';
import { openDb, openFile } from '../../src/db/open.ts';
import { exchanges } from '../../src/db/schema/runtime.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();

/** A database with the migrations before the one of this name. */
function databaseBefore(name: string, path: string): Sqlite.Database {
  const folder = join(dirname(path), 'drizzle');
  cpSync('drizzle', folder, { recursive: true });
  const journal = join(folder, 'meta', '_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'));
  const first = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith(`_${name}`));
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, first) }));
  const old = openFile(path);
  migrate(drizzle(old), { migrationsFolder: folder });
  return old;
}

test('the lines of an older history keep their order, and exchanges their place among them', () => {
  const path = at('upgrade.sqlite');
  const old = databaseBefore('write-less', path);
  const insert = old.prepare(
    `INSERT INTO runtime_history (machine, row_key, verification_uuid, vasp_id, from_state, event, to_state, at, cause, detail)
     VALUES (?, ?, 'v', ?, ?, ?, ?, 5, 'because', ?)`,
  );
  insert.run('judge', 'v', null, null, 'judged', 'DENIED', '{"user":"taylor"}');
  insert.run('timer', 'robot.deposit.inquire', 'a', null, 'fired', null, '{"began":1}');
  insert.run('callback', '7', 'a', 'PENDING', 'delivered', 'DELIVERED', null);
  old.exec(
    `INSERT INTO runtime_exchanges (vasp_id, direction, operation, method, url, duration_ms, at, after_history)
     VALUES ('a', 'IN', 'o', 'GET', '/', 0, 5, 2)`,
  );
  old.close();

  const db = openDb(path);
  const lines = historyOf(db, 'v');
  expect(lines.map(({ id: _, ...line }) => line)).toEqual([
    {
      machine: 'judge',
      rowKey: 'v',
      vaspId: null,
      from: null,
      event: 'judged',
      to: 'DENIED',
      detail: { user: 'taylor' },
      ...COMMON,
    },
    {
      machine: 'timer',
      rowKey: 'robot.deposit.inquire',
      vaspId: 'a',
      from: null,
      event: 'fired',
      to: null,
      detail: { began: 1_999 },
      ...COMMON,
    },
    {
      machine: 'callback',
      rowKey: '7',
      vaspId: 'a',
      from: 'PENDING',
      event: 'delivered',
      to: 'DELIVERED',
      detail: null,
      ...COMMON,
    },
  ]);
  const ids = lines.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const { afterHistory } = db.orm.select().from(exchanges).get()!;
  expect([ids[1]! < afterHistory, afterHistory < ids[2]!, ids[2]! < newestHistory(db)]).toEqual([
    true,
    true,
    true,
  ]);
  db.close();
});

const COMMON = { verificationUuid: 'v', at: 5, cause: 'because' };
