import { expect, onTestFinished, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { openSqlite } from '../../src/kernel/sqlite-module.ts';
import { exchangeStore } from '../../src/sandbox/exchanges/store.ts';
import { exchange } from '../support/db/exchange.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const scratch = scratchDatabase();

test('the newest exchanges of each VASP are kept, and none pushes out those of another', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = exchangeStore(db, 300);
  const idsOf = (vaspId: string) => store.listOf(asCaller(vaspId), { limit: 999 }).rows.map(row => row.at);
  const record = (vaspId: string, from: number, to: number) => {
    for (let at = from; at <= to; at++) store.record({ ...exchange(vaspId), at });
    return idsOf(vaspId);
  };
  record('2', 1, 10);
  expect(record('1', 1, 499)).toHaveLength(499);
  const kept = record('1', 500, 501);
  expect(kept).toHaveLength(301);
  expect([kept.at(0), kept.at(-1)]).toEqual([501, 201]);
  expect(record('1', 502, 2_000).length).toBeGreaterThanOrEqual(300);
  expect(idsOf('1').at(0)).toBe(2_000);
  expect(idsOf('2')).toHaveLength(10);
});

test('B10: exchanges that cannot be stored wait in 32 MiB: the newest of them', () => {
  const path = scratch('waiting.sqlite');
  const db = openDb(path);
  onTestFinished(() => db.close());
  const store = exchangeStore(db);
  const other = openSqlite(path);
  other.exec('BEGIN IMMEDIATE');
  for (let at = 0; at < 600; at++) store.record({ ...exchange('1'), at, request: 'x'.repeat(65_536) });
  store.newestCalls(asCaller('1'), 10);
  other.exec('ROLLBACK');
  other.close();
  expect(store.listOf(asCaller('1'), { limit: 1 }).rows.map(({ at }) => at)).toEqual([599]);
  expect(store.countOf(asCaller('1'), {})).toBeGreaterThan(400);
  expect(store.countOf(asCaller('1'), {})).toBeLessThanOrEqual(512);
});
