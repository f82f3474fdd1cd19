import { elapsedMs, later } from '../kernel/clock.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import type { Db, Waiting } from './open.ts';
import { type Synchronous, savepoint, type Tx, troubleOf, write } from './transaction.ts';

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
  if (outcomes.length < group.length) {
    db.state.group = group.slice(outcomes.length);
    setImmediate(commit, db);
  }
  for (const deliver of outcomes) deliver();
}

/** A lock that began a moment ago may end at once. */
const isWorthWaiting = (db: Db, error: unknown): boolean =>
  storageTrouble(error)?.isLocked === true &&
  elapsedMs() - (troubleOf(db)?.since ?? Number.NEGATIVE_INFINITY) < WAIT_MS;

/** Later changes join the group, so that the order stays. */
function tryAgain(db: Db, group: Waiting[]): void {
  db.state.group = group;
  later(TRY_AGAIN_MS, () => commit(db));
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
