import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { savepoint, write } from '../../src/db/transaction.ts';
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

/** Parts of a transaction: each stores what waits, and may be undone by itself. */
test('an exchange that waits is stored once, whatever parts of a transaction store it and are undone', () => {
  const part = fc.record({ records: fc.nat(2), isUndone: fc.boolean() });
  const histories = fc.array(fc.record({ parts: fc.array(part, { maxLength: 4 }), isUndone: fc.boolean() }));
  fc.assert(
    fc.property(histories, transactions => {
      const db = openDb(':memory:');
      const store = exchangeStore(db);
      let recorded = 0;
      for (const { parts, isUndone } of transactions)
        unless(isUndone, undo =>
          write(db, tx => {
            for (const each of parts) {
              for (let n = 0; n < each.records; n++) store.record({ ...exchange('1'), at: ++recorded });
              unless(each.isUndone, undoPart =>
                savepoint(tx, () => {
                  store.removeOf(tx, '2');
                  undoPart();
                }),
              );
            }
            undo();
          }),
        );
      const stored = store.listOf(asCaller('1'), { limit: 999 }).rows.map(({ at }) => at);
      expect(stored).toEqual(Array.from({ length: recorded }, (_, n) => recorded - n));
      db.close();
    }),
  );
});

class Undone extends Error {}
/** Calls `change` with what undoes it, or with nothing. */
function unless(isUndone: boolean, change: (undo: () => void) => void): void {
  try {
    change(() => {
      if (isUndone) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}

test('a refusal of one caller costs no count of what the others have stored', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = exchangeStore(db, 300);
  const record = (from: number, to: number) => {
    for (let at = from; at <= to; at++) store.record({ ...exchange('1'), at });
    return store.listOf(asCaller('1'), { limit: 999 }).rows.length;
  };
  record(1, 10);
  const counted = vi.spyOn(db.orm, 'select');
  unless(true, undo => write(db, undo));
  write(db, tx => store.removeOf(tx, '2'));
  for (let at = 11; at <= 20; at++) store.record({ ...exchange('1'), at });
  write(db, tx => store.removeOf(tx, '2'));
  expect(counted).not.toHaveBeenCalled();
  // An undo of what has touched it counts it again.
  unless(true, undo =>
    write(db, tx => {
      store.record({ ...exchange('1'), at: 21 });
      store.removeOf(tx, '1');
      undo();
    }),
  );
  record(22, 600);
  expect(record(601, 601)).toBeLessThanOrEqual(500);
  expect(counted).toHaveBeenCalled();
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
