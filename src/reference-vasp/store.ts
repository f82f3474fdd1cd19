import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../client/client.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { openSqlite } from '../kernel/sqlite-module.ts';
import { createLoop, type Loop } from '../timers/loop.ts';

const SCHEMA = `CREATE TABLE IF NOT EXISTS documents (
  kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT`;

export type Store = ReturnType<typeof openStore>;

/** The database of the reference VASP. `:memory:` is allowed. */
export function openStore(path: string) {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const db = openSqlite(path);
  db.pragma('journal_mode = WAL');
  db.exec(SCHEMA);
  return {
    one: db.prepare<[string, string], string>('SELECT value FROM documents WHERE kind = ? AND key = ?').pluck(),
    all: db.prepare<[string], string>('SELECT value FROM documents WHERE kind = ? ORDER BY rowid').pluck(),
    insert: db.prepare<string[]>('INSERT OR IGNORE INTO documents VALUES (?, ?, ?)'),
    upsert: db.prepare<string[]>(
      'INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value',
    ),
    delete: db.prepare<string[]>('DELETE FROM documents WHERE kind = ? AND key = ?'),
    /** One transaction. */
    together: <T>(work: () => T): T => db.transaction(work).immediate(),
    close: () => void db.close(),
  };
}

/** What the VASP keeps of one kind, by key, as JSON. */
export const documents = <T>(kind: string) => ({
  find(store: Store, key: string): T | undefined {
    const value = store.one.get(kind, key);
    return value === undefined ? undefined : JSON.parse(value);
  },
  /** Oldest first. */
  all: (store: Store): T[] => store.all.all(kind).map(value => JSON.parse(value)),
  /** False: there is one, which stays. */
  add: (store: Store, key: string, value: T): boolean => store.insert.run(kind, key, JSON.stringify(value)).changes > 0,
  put: (store: Store, key: string, value: T): void => void store.upsert.run(kind, key, JSON.stringify(value)),
  remove: (store: Store, key: string): void => void store.delete.run(kind, key),
});

const settings = documents<string>('setting');

/** The stored value, or `first()` stored now. */
export function kept(store: Store, name: string, first: () => string): string {
  settings.add(store, name, first());
  return settings.find(store, name)!;
}

/** The newest address on which it listened. */
export const keepAddress = (store: Store, url: string): void => settings.put(store, 'url', url);
export const removeAddress = (store: Store): void => settings.remove(store, 'url');
export const keptAddress = (store: Store): string | undefined => settings.find(store, 'url');

interface Booking {
  /** The purpose. Each purpose is booked once. */
  readonly key: string;
  readonly customer: string;
  readonly symbol: string;
  readonly units: bigint;
}

const bookings = documents<{ customer: string; symbol: string; units: string }>('booking');
/** Units in decimal text, by customer and symbol. */
const balances = documents<string>('balance');

/** False: it was booked before. */
export const book = (store: Store, { key, customer, symbol, units }: Booking): boolean =>
  store.together(() => {
    if (!bookings.add(store, key, { customer, symbol, units: String(units) })) return false;
    balances.put(store, `${customer} ${symbol}`, String(balance(store, customer, symbol) + units));
    return true;
  });

export const balance = (store: Store, customer: string, symbol: string): bigint =>
  BigInt(balances.find(store, `${customer} ${symbol}`) ?? 0);

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
