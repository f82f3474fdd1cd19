import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import type { Client } from '../client/client.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { openSqlite } from '../kernel/sqlite-module.ts';
import { createLoop, type Loop } from '../timers/loop.ts';

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

/**
 * Undefined: the task is done. Otherwise the milliseconds after which it looks again; `later`: ever more. `attempt` counts
 * from 0 since the task was last asked for.
 */
export type Step = (attempt: number) => Promise<number | 'later' | undefined>;

export type Tasks = ReturnType<typeof createTasks>;

interface Task {
  loop: Loop;
  attempts: number;
  turn: Promise<void> | undefined;
  /** Since the present turn has begun. */
  isAskedAgain: boolean;
}

/** A pause grows to this many times its first length: after a failure, and between two looks. */
const MAX_TIMES = { failure: 10, later: 40 };

/**
 * Work that goes on until it is done. After a restart the database says which tasks there are. A failure is logged once,
 * until another one follows.
 */
export function createTasks(retryMs: number, log: Log) {
  const tasks = new Map<string, Task>();
  let isStopped = false;

  function begin(key: string, step: Step): Task {
    let failures = 0;
    let last = '';
    const failed = (err: unknown): number => {
      if (last !== String(err)) log.warn({ err, key }, 'a task is repeated');
      last = String(err);
      failures += 1;
      return retryMs * Math.min(failures, MAX_TIMES.failure);
    };
    const turn = async (): Promise<void> => {
      task.isAskedAgain = false;
      const again = await step(task.attempts++).catch(failed);
      task.turn = undefined;
      if (isStopped) return;
      if (task.isAskedAgain) task.loop.soon();
      else if (again === 'later') task.loop.within(retryMs * Math.min(task.attempts, MAX_TIMES.later));
      else if (again !== undefined) task.loop.within(again);
      else {
        task.loop.stop();
        tasks.delete(key);
      }
    };
    const look = () => {
      task.isAskedAgain = true;
      task.turn ??= turn();
    };
    const task: Task = { loop: createLoop(look), attempts: 0, turn: undefined, isAskedAgain: false };
    return task;
  }

  return {
    /** Begins a task. A task of this key that waits looks at once. A step that throws is repeated. */
    run(key: string, step: Step): void {
      const task = tasks.get(key) ?? begin(key, step);
      tasks.set(key, task);
      task.attempts = 0;
      // The turn may be about to end, and would stop the loop.
      task.isAskedAgain = true;
      task.loop.soon();
    },
    /** The time has been moved: every task that waits looks at once. */
    lookAgain(): void {
      for (const { loop } of tasks.values()) loop.soon();
    },
    /** Resolves when every task has stopped. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { loop } of tasks.values()) loop.stop();
      await Promise.all([...tasks.values()].map(({ turn }) => turn));
    },
  };
}

/** The time of the VASP's timers. A sandbox moves the time of a VASP instead of waiting. */
export interface SandboxClock extends Clock {
  /** The sandbox tells its time. Otherwise this is the clock of the machine. */
  isFollowing(): boolean;
  stop(): void;
}

const LOOK_MS = 500;

/** `moved`: what was not due may be due now. */
export async function followSandbox(api: Client, moved: () => void): Promise<SandboxClock> {
  let aheadMs: number | undefined;
  const look = async () => {
    const before = aheadMs;
    aheadMs = (await api.clock()).aheadMs;
    if (before !== aheadMs) moved();
  };
  const loop = createLoop(() => void look().then(next, next));
  const next = () => loop.within(LOOK_MS);
  await look().catch(() => {});
  next();
  return { now: () => systemClock.now() + (aheadMs ?? 0), isFollowing: () => aheadMs !== undefined, stop: loop.stop };
}
