import { elapsedMs } from '../kernel/clock.ts';
import { StorageUnavailable, storageTrouble } from '../kernel/storage-trouble.ts';
import { type Db, type Trouble, WAIT_FOR_LOCK_MS } from './open.ts';

declare const inside: unique symbol;
/** A database inside `write`. All changes through one `Tx` commit together, or not at all. */
export interface Tx extends Db {
  readonly [inside]: true;
}

export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * One synchronous transaction. `change` calls nothing outside the process: an async function does not compile. Nested
 * calls join the outer transaction. Throws `StorageUnavailable` when the database cannot be written now.
 */
export function write<T>(db: Db, change: (tx: Tx) => Synchronous<T>): T {
  const tx = db as Tx;
  if (db.state.afterCommit) requireTransaction(db);
  if (db.sqlite.inTransaction) return change(tx);
  const hooks: (() => unknown)[] = [];
  db.state.afterCommit = hooks;
  let result: T;
  try {
    db.sqlite.exec('BEGIN IMMEDIATE');
    result = change(tx);
    writeHeldBack(db);
    requireTransaction(db);
    db.sqlite.exec('COMMIT');
  } catch (error) {
    if (db.sqlite.inTransaction) db.sqlite.exec('ROLLBACK');
    undone(db);
    throw noted(db, error);
  } finally {
    db.state.afterCommit = undefined;
  }
  if (isTroubleOver(db)) endTrouble(db);
  for (const hook of hooks) hook();
  for (const listener of db.state.onCommit) listener();
  return result;
}

/** A disk that is full or fails undoes the whole transaction, even if the change has caught the error. */
function requireTransaction(db: Db): void {
  if (db.sqlite.inTransaction) return;
  throw new StorageUnavailable('the disk refuses to write the database', false, undefined);
}

/** On a full disk small transactions may still succeed between refused ones. */
const OVER_AFTER_MS = 1_000;

/** The trouble of the last second. Undefined: transactions are written. */
export const troubleOf = (db: Db): Trouble | undefined => db.state.trouble;

function noted(db: Db, error: unknown): unknown {
  const trouble = storageTrouble(error);
  if (!trouble) return error;
  if (!db.state.trouble) db.sqlite.pragma('busy_timeout = 0');
  const now = elapsedMs();
  db.state.trouble = { error: trouble, since: db.state.trouble?.since ?? now, lastAt: now };
  return trouble;
}

function isTroubleOver(db: Db): boolean {
  const { trouble } = db.state;
  return trouble !== undefined && elapsedMs() - trouble.lastAt >= OVER_AFTER_MS;
}

function endTrouble(db: Db): void {
  db.state.trouble = undefined;
  db.sqlite.pragma(`busy_timeout = ${WAIT_FOR_LOCK_MS}`);
}

/** Calls `listener` after every commit. The returned function ends that. */
export function onCommit(db: Db, listener: () => void): () => void {
  db.state.onCommit.add(listener);
  return () => void db.state.onCommit.delete(listener);
}

/** Calls `writer` before the end of every transaction and of every part: it writes what it has held back in that one. */
export const beforeCommit = (db: Db, writer: () => void): void => void db.state.beforeCommit.push(writer);

function writeHeldBack(db: Db): void {
  for (const writer of db.state.beforeCommit) writer();
}

/** Calls `listener` whenever changes were undone: it forgets what it has kept of them. */
export const onUndo = (db: Db, listener: () => void): void => void db.state.onUndo.push(listener);

function undone(db: Db): void {
  for (const listener of db.state.onUndo) listener();
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

/**
 * Runs `hook` after the commit. Memory caches of a table change here, never earlier. The returned function says whether the
 * transaction goes on with what was changed until then: it has not ended, and nothing has undone it.
 */
export function afterCommit(tx: Tx, hook: () => unknown): () => boolean {
  const hooks = tx.state.afterCommit!;
  hooks.push(hook);
  return () => tx.state.afterCommit === hooks && hooks.includes(hook);
}

/** A part of a transaction that fails by itself: its changes and its `afterCommit` hooks are undone, the rest stands. */
export function savepoint<T>(tx: Tx, change: (tx: Tx) => T): T {
  const hooks = tx.state.afterCommit!;
  const before = hooks.length;
  writeHeldBack(tx);
  tx.sqlite.exec('SAVEPOINT part');
  try {
    const result = change(tx);
    writeHeldBack(tx);
    return result;
  } catch (error) {
    // A full disk may have undone the whole transaction.
    if (tx.sqlite.inTransaction) tx.sqlite.exec('ROLLBACK TO part');
    undone(tx);
    hooks.length = before;
    throw error;
  } finally {
    if (tx.sqlite.inTransaction) tx.sqlite.exec('RELEASE part');
  }
}
