import type { Db } from './open.ts';
import { type Synchronous, savepoint, type Tx, write } from './transaction.ts';

/** The database refused the whole group, for example because another process has locked it. */
export class CommitRefused extends Error {
  override readonly name = 'CommitRefused';
}

interface Waiting {
  change: (tx: Tx) => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

const queues = new WeakMap<Db, Waiting[]>();

/**
 * Group commit: all changes of one turn of the event loop are one transaction, in their order. A change that throws is
 * undone alone. Resolves after the commit. Rejects with the error of the change, or with `CommitRefused`.
 */
export function groupCommit<T>(db: Db, change: (tx: Tx) => Synchronous<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const queue = queues.get(db);
    const waiting = { change, resolve, reject } as Waiting;
    if (queue) return void queue.push(waiting);
    queues.set(db, [waiting]);
    setImmediate(() => commit(db));
  });
}

function commit(db: Db): void {
  const queue = queues.get(db)!;
  queues.delete(db);
  const outcomes: (() => void)[] = [];
  try {
    write(db, tx => {
      for (const waiting of queue) outcomes.push(runAlone(tx, waiting));
    });
  } catch (error) {
    const refused = new CommitRefused(String(error), { cause: error });
    for (const { reject } of queue) reject(refused);
    return;
  }
  for (const deliver of outcomes) deliver();
}

function runAlone(tx: Tx, { change, resolve, reject }: Waiting): () => void {
  try {
    const result = savepoint(tx, change);
    return () => resolve(result as never);
  } catch (error) {
    return () => reject(error);
  }
}
