import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { openSqlite } from '../kernel/sqlite-module.ts';

/** Amounts are units in decimal text. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS bookings (
    key TEXT PRIMARY KEY, customer TEXT NOT NULL, symbol TEXT NOT NULL, units TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS withdrawals (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, uuid TEXT UNIQUE, order_json TEXT NOT NULL,
    hash TEXT, bytes TEXT, note TEXT NOT NULL DEFAULT '') STRICT;
  CREATE TABLE IF NOT EXISTS results (
    uuid TEXT PRIMARY KEY, result TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS deposits (
    uuid TEXT PRIMARY KEY, state TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, customer TEXT,
    inquire_at INTEGER NOT NULL, inquire_until INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS heads (uuid TEXT PRIMARY KEY, height INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS named_transactions (
    uuid TEXT NOT NULL, hash TEXT NOT NULL, vout TEXT, state TEXT NOT NULL, note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (uuid, hash)) STRICT;
  CREATE TABLE IF NOT EXISTS screenings (
    withdrawal TEXT NOT NULL, kind TEXT NOT NULL, request_id TEXT NOT NULL, PRIMARY KEY (withdrawal, kind)) STRICT;
  CREATE TABLE IF NOT EXISTS assessments (
    request_id TEXT PRIMARY KEY, uuid TEXT NOT NULL, result TEXT NOT NULL) STRICT;
`;

export type Store = ReturnType<typeof openStore>;

/** The database of the reference VASP. Each statement is prepared once. `:memory:` is allowed. */
export function openStore(path: string) {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const db = openSqlite(path);
  db.pragma('journal_mode = WAL');
  db.exec(SCHEMA);
  const statements = new Map<string, Sqlite.Statement<unknown[]>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare<unknown[]>(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    get: <T>(sql: string, ...values: unknown[]) => prepared(sql).get(...values) as T,
    all: <T>(sql: string, ...values: unknown[]) => prepared(sql).all(...values) as T[],
    /** True: rows have changed. */
    run: (sql: string, ...values: unknown[]) => prepared(sql).run(...values).changes > 0,
    /** One transaction. */
    together: <T>(work: () => T): T => db.transaction(work).immediate(),
    close: () => void db.close(),
  };
}

/** The stored value, or `first()` stored now. */
export function kept(store: Store, name: string, first: () => string): string {
  store.run('INSERT OR IGNORE INTO settings VALUES (?, ?)', name, first());
  return store.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name).value;
}

/** The newest address on which it listened. */
export const keepAddress = (store: Store, url: string): boolean =>
  store.run("INSERT OR REPLACE INTO settings VALUES ('url', ?)", url);

export const removeAddress = (store: Store): boolean => store.run("DELETE FROM settings WHERE name = 'url'");

export const keptAddress = (store: Store): string | undefined =>
  store.get<{ value: string } | undefined>("SELECT value FROM settings WHERE name = 'url'")?.value;

interface Booking {
  /** The purpose. Each purpose is booked once. */
  readonly key: string;
  readonly customer: string;
  readonly symbol: string;
  readonly units: bigint;
}

/** False: it was booked before. */
export const book = (store: Store, { key, customer, symbol, units }: Booking): boolean =>
  store.run('INSERT OR IGNORE INTO bookings VALUES (?, ?, ?, ?)', key, customer, symbol, String(units));

export const balance = (store: Store, customer: string, symbol: string): bigint =>
  store
    .all<{ units: string }>('SELECT units FROM bookings WHERE customer = ? AND symbol = ?', customer, symbol)
    .map(({ units }) => BigInt(units))
    .reduce((sum, units) => sum + units, 0n);
