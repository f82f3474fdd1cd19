import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Db } from './open.ts';
import { onCommit } from './transaction.ts';

const THREAD = new URL('./checkpoint-thread.mjs', import.meta.url);
const COMMITS_PER_MESSAGE = 20;
/** A shorter log is not worth a thread. */
const WORTH_BYTES = 1_000_000;
const REST_AFTER_MS = 1_000;
const CLOSE_WITHIN_MS = 5_000;

/**
 * Leaves the checkpoints of a database file to a thread: a copy of the whole log would stop the program for tens of
 * milliseconds. The thread starts when the log is worth it, and keeps no process alive. The returned function ends it; its
 * connection is closed then.
 */
export function checkpointInThread(db: Db, path: string, restAfterMs = REST_AFTER_MS): () => void {
  const { sqlite } = db;
  sqlite.pragma('wal_autocheckpoint = 0');
  let commits = 0;
  let thread: Worker | undefined;
  const start = (): Worker => {
    const worker = new Worker(THREAD, { workerData: { path, restAfterMs } });
    worker.unref();
    worker.on('message', (mode: 'PASSIVE' | 'TRUNCATE') => checkpoint(sqlite, mode));
    worker.on('error', () => {
      stopListening();
      thread = undefined;
      sqlite.pragma('wal_autocheckpoint = 4000');
    });
    return worker;
  };
  const stopListening = onCommit(db, () => {
    commits += 1;
    if (commits % COMMITS_PER_MESSAGE > 0) return;
    if (!thread && logBytes(path) < WORTH_BYTES) return;
    thread ??= start();
    thread.postMessage('commits');
  });
  return () => {
    stopListening();
    if (!thread) return;
    thread.removeAllListeners();
    const isClosed = new Int32Array(new SharedArrayBuffer(4));
    thread.postMessage(isClosed);
    Atomics.wait(isClosed, 0, 0, CLOSE_WITHIN_MS);
  };
}

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

function checkpoint(sqlite: Db['sqlite'], mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    sqlite.pragma(`wal_checkpoint(${mode})`);
  } catch {
    // A full disk, or a lock of another program. The thread tries again after the next commits.
  }
}
