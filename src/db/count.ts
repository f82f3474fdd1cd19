import { count, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { callbacks } from './schema/enclave.ts';
import { onCommit, onUndo } from './transaction.ts';

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
export const countUndelivered = (db: Db) => countBy(db, callbacks, ['status'], ne(callbacks.status, sql`'DELIVERED'`));

/** Counts rows, and stops at `most`. */
export function countUpTo(db: Db, limit: number, table: SQLiteTable, condition: SQL | undefined): number {
  const found = db.orm
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(condition)
    .limit(limit)
    .as('found');
  return db.orm.select({ count: sql<number>`count(*)` }).from(found).get()!.count;
}

/**
 * Numbers of rows by a key, in memory: each is counted once, and then changed with the rows, in their transaction. After an
 * undo only those are counted again that its transaction has touched: the refusal of one caller costs the others nothing.
 */
export function keptCounts(db: Db) {
  const counts = new Map<string, number>();
  const touched = new Set<string>();
  onCommit(db, () => touched.clear());
  onUndo(db, () => {
    for (const key of touched) counts.delete(key);
    touched.clear();
  });

  function set(key: string, count: number): void {
    counts.set(key, count);
    touched.add(key);
  }

  return {
    /** `count`: reads a number that is not known. */
    of(key: string, count: () => number): number {
      if (!counts.has(key)) set(key, count());
      return counts.get(key)!;
    },
    /** Rows have come, or gone. A number that is not known yet stays so. */
    change(key: string, by: number): void {
      const known = counts.get(key);
      if (known !== undefined) set(key, known + by);
    },
    /** Those that are known. */
    all: (): Iterable<[string, number]> => [...counts],
    forget: () => counts.clear(),
  };
}
