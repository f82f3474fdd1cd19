import type { Db } from './open.ts';

declare const inside: unique symbol;
/** A database inside `write`. All changes through one `Tx` commit together, or not at all. */
export interface Tx extends Db {
  readonly [inside]: true;
}

export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

const pending = new WeakMap<Db, (() => unknown)[]>();

/**
 * One synchronous transaction. `change` calls nothing outside the process: an async function does not compile. Nested
 * calls join the outer transaction.
 */
export function write<T>(db: Db, change: (tx: Tx) => Synchronous<T>): T {
  const tx = db as Tx;
  if (db.sqlite.inTransaction) return change(tx);
  const hooks: (() => unknown)[] = [];
  pending.set(db, hooks);
  db.sqlite.exec('BEGIN IMMEDIATE');
  let result: T;
  try {
    result = change(tx);
    db.sqlite.exec('COMMIT');
  } catch (error) {
    if (db.sqlite.inTransaction) db.sqlite.exec('ROLLBACK');
    throw error;
  } finally {
    pending.delete(db);
  }
  for (const hook of hooks) hook();
  for (const listener of listeners.get(db) ?? []) listener();
  return result;
}

const listeners = new WeakMap<Db, Set<() => void>>();

/** Calls `listener` after every commit. The returned function ends that. */
export function onCommit(db: Db, listener: () => void): () => void {
  const all = listeners.get(db) ?? new Set();
  listeners.set(db, all.add(listener));
  return () => void all.delete(listener);
}

/** Like `write`, but on disk when it returns: a power cut must not undo a signed transaction. */
export function writeDurably<T>(db: Db, change: (tx: Tx) => Synchronous<T>): T {
  db.sqlite.pragma('synchronous = FULL');
  try {
    return write(db, change);
  } finally {
    db.sqlite.pragma('synchronous = NORMAL');
  }
}

/** Runs `hook` after the commit. Memory caches of a table change here, never earlier. */
export function afterCommit(tx: Tx, hook: () => unknown): void {
  pending.get(tx)!.push(hook);
}

/** A part of a transaction that fails alone: its changes and its `afterCommit` hooks are undone, the rest stands. */
export function savepoint<T>(tx: Tx, change: (tx: Tx) => T): T {
  const hooks = pending.get(tx)!;
  const before = hooks.length;
  tx.sqlite.exec('SAVEPOINT part');
  try {
    return change(tx);
  } catch (error) {
    tx.sqlite.exec('ROLLBACK TO part');
    hooks.length = before;
    throw error;
  } finally {
    tx.sqlite.exec('RELEASE part');
  }
}
