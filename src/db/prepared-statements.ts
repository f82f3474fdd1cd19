import type { Statement } from 'better-sqlite3';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import type { Tx } from './transaction.ts';

/** Inserts and updates by shape: each statement is prepared once, and nothing is read back. */

type Values = Readonly<Record<string, unknown>>;

/** Answers the id of the row. */
export function insertRow<T extends SQLiteTable>(tx: Tx, table: T, row: T['$inferInsert']): number {
  const names = Object.keys(row);
  const statement = prepared(tx, table, `insert ${names}`, column => {
    const places = names.map(() => '?').join(', ');
    return `INSERT INTO "${getTableName(table)}" (${names.map(column).join(', ')}) VALUES (${places})`;
  });
  return Number(statement.run(...bound(table, names, row as Values)).lastInsertRowid);
}

/** Of the rows that there are, or were. */
export function lastIdOf(db: Db, table: SQLiteTable): number {
  const statement = prepared(db, table, 'last id', () => 'SELECT seq FROM sqlite_sequence WHERE name = ?');
  return (statement.get(getTableName(table)) as { seq: number } | undefined)?.seq ?? 0;
}

/** Sets `values` where every column of `where` is equal. Answers how many rows that were. */
export function updateRows<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  where: Partial<T['$inferSelect']>,
  values: Partial<T['$inferInsert']>,
): number {
  const [set, only] = [Object.keys(values), Object.keys(where)];
  const statement = prepared(tx, table, `update ${set} where ${only}`, column => {
    const equal = (name: string) => `${column(name)} = ?`;
    return `UPDATE "${getTableName(table)}" SET ${set.map(equal).join(', ')} WHERE ${only.map(equal).join(' AND ')}`;
  });
  return statement.run(...bound(table, set, values as Values), ...bound(table, only, where as Values))
    .changes;
}

const columnsOf = (table: SQLiteTable) => getTableColumns(table) as Record<string, SQLiteColumn>;

function bound(table: SQLiteTable, names: readonly string[], values: Values): unknown[] {
  const columns = columnsOf(table);
  return names.map(name => {
    const value = values[name];
    return value === null || value === undefined ? null : columns[name]!.mapToDriverValue(value);
  });
}

const statements = new WeakMap<Db['sqlite'], Map<SQLiteTable, Map<string, Statement<unknown[]>>>>();

/** `shape` names the statement among those of the table; `text` writes it when it is wanted for the first time. */
function prepared(
  { sqlite }: Db,
  table: SQLiteTable,
  shape: string,
  text: (column: (name: string) => string) => string,
): Statement<unknown[]> {
  const tables = statements.get(sqlite) ?? new Map<SQLiteTable, Map<string, Statement<unknown[]>>>();
  statements.set(sqlite, tables);
  const ofTable = tables.get(table) ?? new Map<string, Statement<unknown[]>>();
  tables.set(table, ofTable);
  const ready =
    ofTable.get(shape) ?? sqlite.prepare<unknown[]>(text(name => `"${columnsOf(table)[name]!.name}"`));
  ofTable.set(shape, ready);
  return ready;
}
