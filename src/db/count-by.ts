import { and, count, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { deleteRows } from './prepared-statements.ts';
import { callbacks } from './schema/enclave.ts';
import { counts } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

export interface KeyCount {
  /** The values that are counted apart. */
  values: string[];
  count: number;
}

/** The stored counts of a subject. Triggers keep them (see `runtime_counts`). */
export const countsOf = (db: Db, subject: string): KeyCount[] =>
  db.orm
    .select({ key: counts.key, count: counts.count })
    .from(counts)
    .where(and(eq(counts.subject, subject), gt(counts.count, 0)))
    .all()
    .map(({ key, count }) => ({ values: key.split('|'), count }));

/** Triggers leave a count of 0 behind: it would name a VASP that is gone. */
export function deleteEmptyCounts(tx: Tx): void {
  deleteRows(tx, counts, { count: 0 });
}

/** The number of rows for each combination of the columns. An index has to have them all. */
export function countBy<T extends SQLiteTable>(
  { orm }: Db,
  table: T,
  names: readonly (keyof T['_']['columns'] & string)[],
  condition?: SQL,
): { labels: Record<string, string>; value: number }[] {
  const columns = names.map(name => table[name as keyof T] as SQLiteColumn);
  const selected = Object.fromEntries(names.map((name, index) => [name, columns[index]!]));
  return orm
    .select({ ...selected, value: count() })
    .from(table)
    .where(condition)
    .groupBy(...columns)
    .all()
    .map(({ value, ...labels }) => ({ labels: labels as Record<string, string>, value: value as number }));
}

/** A partial index has them: nobody counts the delivered ones. */
export const countUndelivered = (db: Db) =>
  countBy(db, callbacks, ['status'], ne(callbacks.status, sql`'DELIVERED'`));
