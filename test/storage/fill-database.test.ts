import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { fillDatabase } from '../bench/fill-database.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();

test('the bench fills the tables as they are now', () => {
  const path = at('filled.sqlite');
  openDb(path).close();
  writeFileSync(path.replace(/\.sqlite$/, '.data-key'), randomBytes(32).toString('base64url'));
  fillDatabase(path, { verifications: 100, vasps: 2, exchanges: 10, timers: 10 }, '1');
  const db = openDb(path);
  const count = (table: string) => db.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('robot_deposits'), count('robot_transfers')]).toEqual([10, 10]);
  db.close();
});
