import type { Statement } from 'better-sqlite3';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import type { Tx } from './write.ts';

/** Inserts and updates by shape: each statement is prepared once, and nothing is read back. */

type Values = Readonly<Record<string, unknown>>;

export function appendRow<T extends SQLiteTable>(tx: Tx, table: T, row: T['$inferInsert']): void {
  const values = row as Values;
  const names = Object.keys(values);
  const columns = names.map(name => columnOf(table, name)).join(', ');
  const places = names.map(() => '?').join(', ');
  prepared(tx, `INSERT INTO "${getTableName(table)}" (${columns}) VALUES (${places})`).run(
    ...bound(table, values),
  );
}

/** Sets `values` where every column of `where` is equal. Answers how many rows that were. */
export function updateRows<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  where: Partial<T['$inferSelect']>,
  values: Partial<T['$inferInsert']>,
): number {
  const set = Object.keys(values).map(name => `${columnOf(table, name)} = ?`);
  const only = Object.keys(where).map(name => `${columnOf(table, name)} = ?`);
  const statement = `UPDATE "${getTableName(table)}" SET ${set.join(', ')} WHERE ${only.join(' AND ')}`;
  return prepared(tx, statement).run(...bound(table, values as Values), ...bound(table, where as Values))
    .changes;
}

const columnsOf = (table: SQLiteTable) => getTableColumns(table) as Record<string, SQLiteColumn>;
const columnOf = (table: SQLiteTable, name: string): string => `"${columnsOf(table)[name]!.name}"`;

const bound = (table: SQLiteTable, values: Values): unknown[] =>
  Object.entries(values).map(([name, value]) =>
    value === null || value === undefined ? null : columnsOf(table)[name]!.mapToDriverValue(value),
  );

const statements = new WeakMap<Db['sqlite'], Map<string, Statement<unknown[]>>>();

function prepared({ sqlite }: Db, text: string): Statement<unknown[]> {
  const known = statements.get(sqlite) ?? new Map<string, Statement<unknown[]>>();
  statements.set(sqlite, known);
  const ready = known.get(text) ?? sqlite.prepare<unknown[]>(text);
  known.set(text, ready);
  return ready;
}
