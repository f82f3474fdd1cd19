import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';

/** A prepared insert of the named columns: building it anew for every row would cost more than SQLite does. */
export function preparedInsert<T extends SQLiteTable, N extends keyof T['$inferInsert'] & string>(
  db: Db,
  table: T,
  names: readonly N[],
) {
  const values = Object.fromEntries(names.map(name => [name, sql.placeholder(name)]));
  const statement = db.orm
    .insert(table)
    .values(values as never)
    .returning()
    .prepare();
  return (row: Required<Pick<T['$inferInsert'], N>>): T['$inferSelect'] =>
    statement.get(row as Record<string, unknown>) as T['$inferSelect'];
}
