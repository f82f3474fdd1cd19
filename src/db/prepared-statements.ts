import type { Statement } from 'better-sqlite3';
import { Column, getTableColumns, getTableName, type Placeholder, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { onUndo, type Tx } from './transaction.ts';

/**
 * Each kind of SQL is written in one way:
 * - Reads: drizzle's query builder, in a `store.ts`. A query of a fixed shape is prepared once per store, at its first
 *   use. A list with optional filters is built for each call.
 * - Inserts and updates by equal columns: the functions below. Each shape is prepared once, and nothing is read back.
 * - Deletes, counters and conflicts with a rule of their own: drizzle's query builder, as for reads.
 * - SQL text: in `db/` alone (held by test), where drizzle cannot express it.
 *
 * Drizzle binds constants, too. SQLite plans a prepared query again at every call when a limit is bound, or a value of a
 * column in the condition of a partial index. So a single row is read by `get` without a limit, such a value stands in the
 * text, and the limit of a list is `BOUND_LIMIT`.
 */

/** The parameter `limit` of a prepared query. SQLite does not look at the value of a sum when it plans. */
export const BOUND_LIMIT = sql`${sql.placeholder('limit')} + 0` as unknown as Placeholder<'limit'>;

/** `list`: the parameter with the values as JSON, however many they are. */
export const isAmong = (column: SQLiteColumn, list: Placeholder) =>
  sql`${column} IN (SELECT value FROM json_each(${list}))`;

type Values = Readonly<Record<string, unknown>>;
type ColumnName<T extends SQLiteTable> = keyof T['$inferSelect'] & string;

/** Answers the stored row, with its new id and with the defaults of missing values. */
export function insertRow<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  row: Readonly<T['$inferInsert']>,
): T['$inferSelect'] {
  const { idName } = shapeOf(table);
  const full: Record<string, unknown> = withDefaults(table, row);
  const id = addRow(tx, table, full as T['$inferInsert']);
  if (idName !== undefined) full[idName] ??= id;
  return full;
}

/** Inserts the row as `insertRow` does, in less time, and answers its rowid alone. */
export function addRow<T extends SQLiteTable>(tx: Tx, table: T, row: Readonly<T['$inferInsert']>): number {
  const { names, valuesOf } = shapeOf(table);
  const statement = prepared(tx, table, 'insert', column => insertText(table, names, column));
  const id = Number(statement.run(valuesOf(row)).lastInsertRowid);
  const ids = lastIds(tx);
  const last = ids.get(table);
  if (last !== undefined && id > last) ids.set(table, id);
  return id;
}

/** A row as it will be stored, without its id. */
export function withDefaults<T extends SQLiteTable>(
  table: T,
  row: Readonly<T['$inferInsert']>,
): T['$inferSelect'] {
  return shapeOf(table).complete(row);
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

/** Sets `values` where every column of `where` is equal. Answers the number of rows. */
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

/** Of the tables that were asked for it. `addRow` keeps it: it is the only way to insert into them. */
const lastIds = onceForDb(db => {
  const ids = new Map<SQLiteTable, number>();
  onUndo(db, () => ids.clear());
  return ids;
});

/** The greatest id that the table has ever had; 0 before the first row. */
export function lastIdOf(db: Db, table: SQLiteTable): number {
  const kept = lastIds(db).get(table);
  if (kept !== undefined) return kept;
  const statement = prepared(db, table, 'last id', () => 'SELECT seq FROM sqlite_sequence WHERE name = ?');
  const last = (statement.get(getTableName(table)) as { seq: number } | undefined)?.seq ?? 0;
  lastIds(db).set(table, last);
  return last;
}

interface Prepared {
  get(values?: Values): unknown;
  all(values?: Values): unknown;
  run(values?: Values): unknown;
}

/** Prepares the query at its first use: a start needs few of them. */
export function preparedQuery<Q extends Prepared>(query: { prepare(): Q }): Pick<Q, keyof Prepared> {
  let ready: Q | undefined;
  const statement = () => (ready ??= query.prepare());
  const on = (method: keyof Prepared) => (values?: Values) => statement()[method](values);
  return { get: on('get'), all: on('all'), run: on('run') } as Pick<Q, keyof Prepared>;
}

/** Built once for each database: the queries of functions without a store. */
export function onceForDb<T extends object>(build: (db: Db) => T): (db: Db) => T {
  const built = new WeakMap<Db, T>();
  return db => {
    const earlier = built.get(db);
    if (earlier) return earlier;
    const ofDb = build(db);
    built.set(db, ofDb);
    return ofDb;
  };
}

/** A query of all columns of `table` with named placeholders, as drizzle builds it. */
interface BuiltQuery {
  toSQL(): { sql: string; params: unknown[] };
}

/** Prepares a query whose rows are read one by one: the reader may stop early. Drizzle reads all rows at once. */
export function preparedIterator<T extends SQLiteTable>(
  { sqlite }: Db,
  table: T,
  query: BuiltQuery,
): (values: Values) => Generator<T['$inferSelect']> {
  const prepare = () => {
    const { sql, params } = query.toSQL();
    return {
      statement: sqlite.prepare<unknown[], unknown[]>(sql).raw(),
      places: params as { name: string }[],
    };
  };
  let ready: ReturnType<typeof prepare> | undefined;
  const columns = Object.entries(columnsOf(table));
  return function* (values) {
    ready ??= prepare();
    const { statement, places } = ready;
    for (const row of statement.iterate(...places.map(({ name }) => values[name])))
      yield Object.fromEntries(
        columns.map(([name, column], i) => [
          name,
          row[i] === null ? null : column.mapFromDriverValue(row[i]),
        ]),
      );
  };
}

const columnsOf = (table: SQLiteTable) => getTableColumns(table) as Record<string, SQLiteColumn>;
const namesIn = (values: Values): string[] => Object.keys(values).filter(name => values[name] !== undefined);

const insertText = (table: SQLiteTable, names: readonly string[], column: (name: string) => string): string =>
  `INSERT INTO "${getTableName(table)}" (${names.map(column)}) VALUES (${names.map(() => '?')})`;

function bound(table: SQLiteTable, names: readonly string[], values: Values): unknown[] {
  const { encoders } = shapeOf(table);
  return names.map(name => {
    const value = values[name] ?? null;
    const encode = encoders.get(name);
    return value === null || !encode ? value : encode(value);
  });
}

interface Shape {
  names: readonly string[];
  /** A new row with the defaults of missing values. */
  complete(row: Values): Record<string, unknown>;
  /** The values to bind for a row, in the order of the columns. */
  valuesOf(row: Values): unknown[];
  /** Of the columns that store a value in another form. */
  encoders: ReadonlyMap<string, (value: unknown) => unknown>;
  /** The integer primary key. SQLite chooses its value. */
  idName: string | undefined;
}
const shapes = new WeakMap<SQLiteTable, Shape>();

function shapeOf(table: SQLiteTable): Shape {
  const stored = shapes.get(table);
  if (stored) return stored;
  const columns = Object.entries(columnsOf(table));
  const encoded = columns.filter(
    ([, { mapToDriverValue }]) => mapToDriverValue !== Column.prototype.mapToDriverValue,
  );
  const names = columns.map(([name]) => name);
  const encoders = new Map(
    encoded.map(([name, column]) => [name, (value: unknown) => column.mapToDriverValue(value)]),
  );
  const defaults = columns.map(([, column]) => column.default ?? null);
  const shape = {
    names,
    complete: completeFor(names, defaults),
    valuesOf: valuesFor(names, defaults, encoders),
    encoders,
    idName: columns.find(([, column]) => column.primary && column.getSQLType() === 'integer')?.[0],
  };
  shapes.set(table, shape);
  return shape;
}

/**
 * Code that is written for the columns of a table: with the names in its text V8 finds each value at a known place. A loop
 * over names looks each one up, and makes rows that are hash tables.
 */
function completeFor(names: readonly string[], defaults: readonly unknown[]): Shape['complete'] {
  const members = names.map((name, i) => `${name}: row.${name} === undefined ? defaults[${i}] : row.${name}`);
  return new Function('defaults', `return row => ({ ${members} })`)(defaults);
}

function valuesFor(
  names: readonly string[],
  defaults: readonly unknown[],
  encoders: Shape['encoders'],
): Shape['valuesOf'] {
  const values = names.map((name, i) => {
    const value = `(row.${name} === undefined ? defaults[${i}] : row.${name})`;
    return encoders.has(name) ? `encoded('${name}', ${value})` : value;
  });
  const encoded = (name: string, value: unknown) => (value === null ? null : encoders.get(name)!(value));
  return new Function('defaults', 'encoded', `return row => [${values}]`)(defaults, encoded);
}

const statements = new WeakMap<Db['sqlite'], Map<SQLiteTable, Map<string, Statement<unknown[]>>>>();

/** `shape` is the key of the statement among those of the table. `text` writes the statement on its first use. */
function prepared(
  { sqlite }: Db,
  table: SQLiteTable,
  shape: string,
  text: (column: (name: string) => string) => string,
): Statement<unknown[]> {
  const earlier = statements.get(sqlite)?.get(table)?.get(shape);
  if (earlier) return earlier;
  const tables = statements.get(sqlite) ?? new Map<SQLiteTable, Map<string, Statement<unknown[]>>>();
  const ofTable = tables.get(table) ?? new Map<string, Statement<unknown[]>>();
  const statement = sqlite.prepare<unknown[]>(text(name => `"${columnsOf(table)[name]!.name}"`));
  statements.set(sqlite, tables.set(table, ofTable.set(shape, statement)));
  return statement;
}
