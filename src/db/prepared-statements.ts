import type { Statement } from 'better-sqlite3';
import { and, eq, getTableColumns, getTableName, inArray, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import type { Tx } from './transaction.ts';

/**
 * Each kind of SQL is written in one way:
 * - Reads, updates and deletes by equal columns, and inserts: the functions below. Each shape is prepared once, and what
 *   is written is not read back.
 * - Other reads: drizzle's query builder, in a `store.ts`. A query of a fixed shape is prepared once per store, at its first
 *   use. A list with optional filters is prepared once for each set of filters, or built for each call where it is rare.
 * - Other deletes, counters and conflicts with a rule of their own: drizzle's query builder, as for reads.
 * - SQL text: only in `db/` (held by test), where drizzle cannot express it.
 *
 * Drizzle binds constants, too. SQLite plans a prepared query again at every call when a limit is bound, or a value of a
 * column in the condition of a partial index. So a single row is read by `get` without a limit, such a value stands in the
 * text, and the limit of a list is `BOUND_LIMIT`.
 */

/** The parameter `limit` of a prepared query. SQLite does not look at the value of a sum when it plans. */
export const BOUND_LIMIT = sql`${sql.placeholder('limit')} + 0` as unknown as Placeholder<'limit'>;

/** `list`: the values as JSON, however many they are. */
export const isAmong = (column: SQLiteColumn, list: Placeholder | string) =>
  sql`${column} IN (SELECT value FROM json_each(${list}))`;

type Values = Readonly<Record<string, unknown>>;
type ColumnName<T extends SQLiteTable> = keyof T['$inferSelect'] & string;

/** Returns the stored row, with its new id and with the defaults of missing values. */
export function insertRow<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  row: Readonly<T['$inferInsert']>,
): T['$inferSelect'] {
  const { columns, defaults, idName } = shapeOf(table);
  const full: Record<string, unknown> = { ...defaults };
  for (const [name] of columns) full[name] = row[name as ColumnName<T>] ?? defaults[name];
  const statement = prepared(tx, table, 'insert', column =>
    insertText(
      table,
      columns.map(([name]) => name),
      column,
    ),
  );
  const { lastInsertRowid } = statement.run(columns.map(([name, column]) => toSql(column, full[name])));
  if (idName !== undefined) full[idName] ??= Number(lastInsertRowid);
  return full;
}

interface Shape {
  columns: [name: string, column: SQLiteColumn][];
  defaults: Values;
  /** Of an integer key: SQLite gives it a value. */
  idName: string | undefined;
}
const shapes = new Map<SQLiteTable, Shape>();

function shapeOf(table: SQLiteTable): Shape {
  const earlier = shapes.get(table);
  if (earlier) return earlier;
  const columns = Object.entries(columnsOf(table));
  const shape = {
    columns,
    defaults: Object.fromEntries(columns.map(([name, column]) => [name, column.default ?? null])),
    idName: columns.find(([, column]) => column.primary && column.getSQLType() === 'integer')?.[0],
  };
  shapes.set(table, shape);
  return shape;
}

/** Inserts the row, or sets its other columns where a row with the same `key` exists. */
export function upsertRow<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  key: readonly ColumnName<T>[],
  row: Readonly<T['$inferInsert']>,
): void {
  const names = namesIn(row);
  const others = names.filter(name => !(key as readonly string[]).includes(name));
  const statement = prepared(tx, table, `upsert ${key}: ${names}`, column => {
    const set = others.map(name => `${column(name)} = excluded.${column(name)}`);
    return `${insertText(table, names, column)} ON CONFLICT (${key.map(column)}) DO UPDATE SET ${set}`;
  });
  statement.run(bound(table, names, row));
}

/** Sets `values` where every column of `where` is equal. Returns the number of rows. */
export function updateRows<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  where: Partial<T['$inferSelect']>,
  values: Partial<T['$inferInsert']>,
): number {
  const [set, only] = [namesIn(values), namesIn(where)];
  const statement = prepared(tx, table, `update ${set} where ${only}`, column => {
    const equal = (name: string) => `${column(name)} = ?`;
    return `UPDATE "${getTableName(table)}" SET ${set.map(equal).join(', ')} WHERE ${only.map(equal).join(' AND ')}`;
  });
  return statement.run(...bound(table, set, values), ...bound(table, only, where)).changes;
}

/** Deletes the rows where every column of `where` is equal. Returns their number. */
export function deleteRows<T extends SQLiteTable>(tx: Tx, table: T, where: Partial<T['$inferSelect']>): number {
  const only = namesIn(where);
  const statement = prepared(tx, table, `delete where ${only}`, column => {
    const equal = only.map(name => `${column(name)} = ?`);
    return `DELETE FROM "${getTableName(table)}" WHERE ${equal.join(' AND ')}`;
  });
  return statement.run(...bound(table, only, where)).changes;
}

/** Deletes at most `most` of the rows that meet the condition. Returns their number. */
export function deleteSome(tx: Tx, table: SQLiteTable, condition: SQL | undefined, limit: number): number {
  const some = tx.orm.select({ rowid: ROW_ID }).from(table).where(condition).limit(limit);
  return tx.orm.delete(table).where(inArray(ROW_ID, some)).run().changes;
}
const ROW_ID = sql`rowid`;

/** The rows where every column of `where` is equal (null: is null), in the order of the column `order`. */
export function findRows<T extends SQLiteTable>(
  db: Db,
  table: T,
  where: Partial<T['$inferSelect']>,
  order?: ColumnName<T>,
): T['$inferSelect'][] {
  return selection(db, table, where, order).all(valuesOf(table, where));
}

/** One of them. */
export function findRow<T extends SQLiteTable>(
  db: Db,
  table: T,
  where: Partial<T['$inferSelect']>,
): T['$inferSelect'] | undefined {
  return selection(db, table, where).get(valuesOf(table, where));
}

function selection(db: Db, table: SQLiteTable, where: Values, order?: string) {
  const names = namesIn(where);
  const shape = names.map(name => (where[name] === null ? `${name} is null` : name));
  return kept(db, `${getTableName(table)} select where ${shape} order ${order}`, () => {
    const columns = columnsOf(table);
    const equal = names.map(name =>
      where[name] === null ? isNull(columns[name]!) : eq(columns[name]!, sql.placeholder(name)),
    );
    const rows = db.orm
      .select()
      .from(table)
      .where(and(...equal));
    return (order === undefined ? rows : rows.orderBy(columns[order]!)).prepare();
  });
}

const valuesOf = (table: SQLiteTable, where: Values): Record<string, unknown> => {
  const names = namesIn(where);
  const values = bound(table, names, where);
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
};

/** The greatest id of the table; 0: it is empty. */
export function lastIdOf(db: Db, table: SQLiteTable): number {
  const statement = prepared(db, table, 'last id', () => `SELECT max(id) AS id FROM "${getTableName(table)}"`);
  return (statement.get() as { id: number | null }).id ?? 0;
}

/** What is built once for each database, at its first use. */
function kept<T extends object>({ state: { built } }: Db, key: object | string, build: () => T): T {
  const earlier = built.get(key) as T | undefined;
  if (earlier) return earlier;
  const made = build();
  built.set(key, made);
  return made;
}

export const onceForDb =
  <T extends object>(build: (db: Db) => T) =>
  (db: Db): T =>
    kept(db, build, () => build(db));

/** A query of a fixed shape. */
export const preparedQuery = <Q extends object>(query: (db: Db) => { prepare(): Q }): ((db: Db) => Q) =>
  onceForDb(db => query(db).prepare());

/** The rows of such a query. It has a placeholder for each of the values. */
export function preparedRows<V extends object, R>(
  query: (db: Db) => { prepare(): { all(values: Record<string, unknown>): R[] } },
): (db: Db, values: V) => R[] {
  const ready = preparedQuery(query);
  return (db, values) => ready(db).all(values as Record<string, unknown>);
}

/** A query whose shape goes by the values that are given. It has a placeholder for each of them. */
export function preparedFilters<F extends object, R>(
  query: (db: Db, has: (name: keyof F) => boolean) => { prepare(): { all(values: Record<string, unknown>): R } },
): (db: Db, values: F) => R {
  const ofShapes = onceForDb(() => new Map<string, { all(values: Record<string, unknown>): R }>());
  return (db, values) => {
    const names = namesIn(values as Values);
    const shapes = ofShapes(db);
    const ready = shapes.get(`${names}`) ?? query(db, name => names.includes(name as string)).prepare();
    shapes.set(`${names}`, ready);
    return ready.all({ ...(values as Values) });
  };
}

/** A query of all columns of `table` with named placeholders, as drizzle builds it. */
interface BuiltQuery {
  toSQL(): { sql: string; params: unknown[] };
}

/** Like `preparedQuery`, but the rows are read one by one: the reader may stop early. Drizzle reads all rows at once. */
export function preparedIterator<T extends SQLiteTable>(
  table: T,
  query: (db: Db) => BuiltQuery,
): (db: Db, values: Values) => Generator<T['$inferSelect']> {
  const ready = onceForDb(db => {
    const { sql, params } = query(db).toSQL();
    return { statement: db.sqlite.prepare<unknown[], unknown[]>(sql).raw(), places: params as { name: string }[] };
  });
  const columns = Object.entries(columnsOf(table));
  return function* (db, values) {
    const { statement, places } = ready(db);
    for (const row of statement.iterate(...places.map(({ name }) => values[name])))
      yield Object.fromEntries(
        columns.map(([name, column], i) => [name, row[i] === null ? null : column.mapFromDriverValue(row[i])]),
      );
  };
}

const columnsOf = (table: SQLiteTable) => getTableColumns(table) as Record<string, SQLiteColumn>;
const namesIn = (values: Values): string[] => Object.keys(values).filter(name => values[name] !== undefined);

const insertText = (table: SQLiteTable, names: readonly string[], column: (name: string) => string): string =>
  `INSERT INTO "${getTableName(table)}" (${names.map(column)}) VALUES (${names.map(() => '?')})`;

function bound(table: SQLiteTable, names: readonly string[], values: Values): unknown[] {
  const columns = columnsOf(table);
  return names.map(name => toSql(columns[name]!, values[name]));
}

const toSql = (column: SQLiteColumn, value: unknown): unknown =>
  (value ?? null) === null ? null : column.mapToDriverValue(value);

/** `shape` is the key of the statement among those of the table. `text` writes the statement on its first use. */
const prepared = (
  db: Db,
  table: SQLiteTable,
  shape: string,
  text: (column: (name: string) => string) => string,
): Statement<unknown[]> =>
  kept(db, `${getTableName(table)} ${shape}`, () =>
    db.sqlite.prepare<unknown[]>(text(name => `"${columnsOf(table)[name]!.name}"`)),
  );
