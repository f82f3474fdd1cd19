import { elapsedMs, later } from '../kernel/clock.ts';
import { StorageUnavailable, storageTrouble } from '../kernel/storage-trouble.ts';
import { type Db, type Trouble, WAIT_FOR_LOCK_MS, type Waiting } from './open.ts';

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

/** The database refused the whole group for another reason than storage trouble. */
export class CommitRefused extends Error {
  override readonly name = 'CommitRefused';
}

const WAIT_MS = 1_000;
const TRY_AGAIN_MS = 20;
/** A group grows while each turn of the event loop brings more changes. */
const MAX_TURNS = 16;
/** What a group has left after this time is the next one. Others are served between the two. */
const PART_MS = 20;

/**
 * Group commit: the changes of one turn of the event loop, and of the next turns under load, are one transaction, in
 * their order, as far as they take no longer than `PART_MS`. A change that throws is undone by itself. A change may run twice, so it changes nothing but the database.
 * Resolves after the commit. Rejects with the error of the change, or for the whole group with `StorageUnavailable` or
 * `CommitRefused`. A lock of another process is waited for up to 1 s.
 */
export function groupCommit<T>(db: Db, change: (tx: Tx) => Synchronous<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const waiting = { change, resolve, reject } as Waiting;
    if (db.state.group) db.state.group.push(waiting);
    else begin(db, [waiting]);
  });
}

/** Like `groupCommit`, for a change that nobody waits for: it joins the next group, or is a group after `ms`. */
export function joinNextGroup<T>(db: Db, ms: number, change: (tx: Tx) => Synchronous<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const waiting = { change, resolve, reject } as Waiting;
    db.state.patient.push(waiting);
    later(ms, () => {
      if (db.state.patient.includes(waiting) && !db.state.group) begin(db, []);
    });
  });
}

function begin(db: Db, group: Waiting[]): void {
  db.state.group = group;
  setImmediate(commitWhenComplete, db, 1, 0);
}

function commitWhenComplete(db: Db, turns: number, before: number): void {
  const { length } = db.state.group!;
  if (length > before && turns < MAX_TURNS) setImmediate(commitWhenComplete, db, turns + 1, length);
  else commit(db);
}

function commit(db: Db): void {
  const group = [...db.state.group!, ...db.state.patient];
  db.state.group = undefined;
  db.state.patient = [];
  let outcomes: (() => void)[];
  try {
    outcomes = runAll(db, group);
  } catch (error) {
    if (isWorthWaiting(db, error)) return tryAgain(db, group);
    const refused = storageTrouble(error) ?? new CommitRefused(String(error), { cause: error });
    for (const { reject } of group) reject(refused);
    return;
  }
  if (outcomes.length < group.length) putFirst(db, group.slice(outcomes.length), () => setImmediate(commit, db));
  for (const deliver of outcomes) deliver();
}

/** A lock that began a moment ago may end at once. */
const isWorthWaiting = (db: Db, error: unknown): boolean =>
  storageTrouble(error)?.isLocked === true &&
  elapsedMs() - (troubleOf(db)?.since ?? Number.NEGATIVE_INFINITY) < WAIT_MS;

/** Later changes join the group, so that the order stays. */
const tryAgain = (db: Db, group: Waiting[]): void => putFirst(db, group, () => later(TRY_AGAIN_MS, () => commit(db)));

/** A hook of the transaction may have begun a group: that one commits these, too. */
function putFirst(db: Db, group: Waiting[], thenCommit: () => void): void {
  const begun = db.state.group;
  db.state.group = [...group, ...(begun ?? [])];
  if (!begun) thenCommit();
}

/** Savepoints cost a quarter of the time, so they come only after a change has failed: then all changes run again. */
function runAll(db: Db, group: Waiting[]): (() => void)[] {
  try {
    return write(db, tx => runPart(group, waiting => runWithOthers(tx, waiting)));
  } catch (error) {
    if (storageTrouble(error)) throw error;
    return write(db, tx => runPart(group, waiting => runAlone(tx, waiting)));
  }
}

/** At least the first one. */
function runPart(group: Waiting[], run: (waiting: Waiting) => () => void): (() => void)[] {
  const since = elapsedMs();
  const outcomes: (() => void)[] = [];
  for (const waiting of group) {
    outcomes.push(run(waiting));
    if (elapsedMs() - since >= PART_MS) break;
  }
  return outcomes;
}

function runWithOthers(tx: Tx, { change, resolve }: Waiting): () => void {
  const result = change(tx);
  return () => resolve(result as never);
}

function runAlone(tx: Tx, { change, resolve, reject }: Waiting): () => void {
  try {
    const result = savepoint(tx, change);
    return () => resolve(result as never);
  } catch (error) {
    if (storageTrouble(error)) throw error;
    return () => reject(error);
  }
}
