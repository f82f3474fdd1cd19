import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { findRows, onceForDb } from './prepared-statements.ts';
import { onUndo, type Tx } from './transaction.ts';

/**
 * A small table that every step asks for, with its rows in memory by the column `group`. One process owns the database, and
 * every change of the table goes through `change`. After changes that are undone the table is read again.
 */
export function keptTable<
  T extends SQLiteTable,
  G extends keyof T['$inferSelect'] & string,
  K extends keyof T['$inferSelect'] & string,
>(table: T, group: G, order: K) {
  type Row = T['$inferSelect'];
  const memory = onceForDb(db => {
    const kept: { groups: Map<Row[G], Row[]> | undefined } = { groups: undefined };
    onUndo(db, () => {
      kept.groups = undefined;
    });
    return kept;
  });
  function groupsOf(db: Db): Map<Row[G], Row[]> {
    const kept = memory(db);
    if (kept.groups) return kept.groups;
    kept.groups = new Map();
    for (const row of findRows(db, table, {}, order)) {
      const rows = kept.groups.get(row[group]) ?? [];
      kept.groups.set(row[group], rows);
      rows.push(row);
    }
    return kept.groups;
  }
  return {
    of: (db: Db, of: Row[G]): readonly Row[] => groupsOf(db).get(of) ?? [],
    groups: (db: Db): Row[G][] => [...groupsOf(db).keys()],
    /** Changes the rows of one group. */
    change<R>(tx: Tx, of: Row[G], change: () => R): R {
      const result = change();
      const rows = findRows(tx, table, { [group]: of } as Row, order);
      if (rows.length > 0) groupsOf(tx).set(of, rows);
      else groupsOf(tx).delete(of);
      return result;
    },
  };
}
