import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { grouped } from '../kernel/members.ts';
import type { Db } from './open.ts';
import { deleteRows, findRows, insertRow, onceForDb } from './prepared-statements.ts';
import { closing } from './schema/runtime.ts';
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
    kept.groups = grouped(findRows(db, table, {}, order), row => row[group]);
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

/**
 * The one mark of a VASP that is being forgotten. It is set first, and stays. Every writer looks at it inside its
 * transaction: nothing is written, opened or revived for such a VASP. What was under way when the mark was set is waited
 * for, and then everything is deleted once.
 */
const marks = keptTable(closing, 'vaspId', 'vaspId');

export const isClosing = (db: Db, vaspId: string): boolean => marks.of(db, vaspId).length > 0;

export function close(tx: Tx, vaspId: string): void {
  if (!isClosing(tx, vaspId)) marks.change(tx, vaspId, () => insertRow(tx, closing, { vaspId }));
}

/** A VASP of this id comes from another sandbox. */
export const reopen = (tx: Tx, vaspId: string): void =>
  void marks.change(tx, vaspId, () => deleteRows(tx, closing, { vaspId }));

export const allClosing = (db: Db): string[] => marks.groups(db);
