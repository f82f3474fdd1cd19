import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

/**
 * A thread with its own connection. It copies the write-ahead log into the database, so that the program does not wait
 * for the copy. A log that is copied whole begins anew, but commits go on during the copy. So the thread copies until
 * little is left and answers `copied`. The program copies the rest, cuts the log and says `cut`. Until then the thread
 * copies nothing: its lock would keep the program from that. The message `commits` means that there were some, `end` ends
 * the thread. After a long rest it ends by itself. At its end it sets `isClosed` to 1.
 */

/** Most pages change many times before they are copied. */
const COPY_FROM_BYTES = 16_000_000;
/** A copy of less takes the program as long: it waits for the disk. */
const LITTLE_BYTES = 500_000;

// On Linux this is the priority of this thread alone: a request does not wait for a copy.
if (process.platform === 'linux') setPriority(0, 10);

const { path, isClosed, restAfterMs, endAfterMs } = workerData;
const sqlite = new Sqlite(path, { timeout: 20 });
const pageSize = Number(sqlite.pragma('page_size', { simple: true }));
/** @type {NodeJS.Timeout | undefined} */
let rest;
/** The program has not cut the copied log yet. */
let isCopied = false;

/** @param {'NOOP' | 'PASSIVE'} mode */
const checkpoint = mode => /** @type {any[]} */ (sqlite.pragma(`wal_checkpoint(${mode})`))[0];

function state() {
  const { log, checkpointed } = checkpoint('NOOP');
  return { log, checkpointed, bytesLeft: (log - checkpointed) * pageSize };
}

/** A reader of the log may hold the copy up. Then it ends with more left. */
function copyUntilLittleIsLeft() {
  let before = -1;
  for (let now = state(); now.bytesLeft > LITTLE_BYTES && now.checkpointed !== before; now = state()) {
    before = now.checkpointed;
    checkpoint('PASSIVE');
  }
  isCopied = true;
  parentPort?.postMessage('copied');
}

const copyLongLog = () => {
  if (!isCopied && state().bytesLeft >= COPY_FROM_BYTES) copyUntilLittleIsLeft();
};

const copyAnyLog = () => {
  if (!isCopied && state().log > 0) copyUntilLittleIsLeft();
};

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
  if (message === 'cut') isCopied = false;
  else attempt(copyLongLog);
  rest = setTimeout(() => {
    attempt(copyAnyLog);
    rest = setTimeout(end, endAfterMs);
  }, restAfterMs);
});
