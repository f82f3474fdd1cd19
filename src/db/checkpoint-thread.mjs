import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

/**
 * A thread with its own connection. It copies the write-ahead log into the database, so that the program does not wait
 * for the copy. The message `commits` means that there were some, `end` ends the thread. After a long rest it ends by itself.
 * At its end it sets `isClosed` to 1. The thread answers with the mode of a checkpoint that only the program itself can
 * make: PASSIVE when the log is long and commits go on, TRUNCATE when everything is copied.
 */

/** Most pages change many times before they are copied. */
const COPY_FROM_BYTES = 16_000_000;
const LONG_FROM_BYTES = 32_000_000;

// On Linux this is the priority of this thread alone: a request does not wait for a copy.
if (process.platform === 'linux') setPriority(0, 10);

const { path, isClosed, restAfterMs, endAfterMs } = workerData;
const sqlite = new Sqlite(path, { timeout: 20 });
const pageSize = Number(sqlite.pragma('page_size', { simple: true }));
/** @type {NodeJS.Timeout | undefined} */
let rest;

/** @param {'NOOP' | 'PASSIVE' | 'TRUNCATE'} mode */
const checkpoint = mode => /** @type {any[]} */ (sqlite.pragma(`wal_checkpoint(${mode})`))[0];

function copy() {
  const { log, checkpointed } = checkpoint('NOOP');
  if ((log - checkpointed) * pageSize < COPY_FROM_BYTES) return;
  checkpoint('PASSIVE');
  copyRest();
}

/** The program cuts the log itself: a lock of this thread would be trouble for its writes. */
function copyRest() {
  const left = checkpoint('PASSIVE');
  if (left.checkpointed === left.log) parentPort?.postMessage('TRUNCATE');
  else if (left.log * pageSize > LONG_FROM_BYTES) parentPort?.postMessage('PASSIVE');
}

/** @param {() => void} work */
function attempt(work) {
  try {
    work();
  } catch {
    // A full disk, or a lock of another program. It is tried again after the next commits.
  }
}

function end() {
  attempt(() => sqlite.close());
  Atomics.store(isClosed, 0, 1);
  Atomics.notify(isClosed, 0);
  parentPort?.close();
}

parentPort?.on('message', message => {
  clearTimeout(rest);
  if (message === 'end') return end();
  attempt(copy);
  rest = setTimeout(() => {
    attempt(copyRest);
    rest = setTimeout(end, endAfterMs);
  }, restAfterMs);
});
