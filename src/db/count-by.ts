import { count, getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';

/** The number of rows for each combination of values in these columns. */
export function countBy<T extends SQLiteTable, C extends keyof T['_']['columns'] & string>(
  db: Db,
  table: T,
  ...columns: C[]
): { labels: Record<string, string>; value: number }[] {
  const all = getTableColumns(table) as Record<string, never>;
  const grouped = Object.fromEntries(columns.map(name => [name, all[name]!]));
  return db.orm
    .select({ ...grouped, value: count() })
    .from(table)
    .groupBy(...Object.values(grouped))
    .all()
    .map(({ value, ...labels }) => ({ labels: labels as Record<string, string>, value }));
}
