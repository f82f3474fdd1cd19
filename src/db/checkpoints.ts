import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { elapsedMs } from '../kernel/clock.ts';
import { later } from '../kernel/interval.ts';
import type { Db } from './open.ts';
import { onCommit } from './transaction.ts';

const THREAD = new URL('./checkpoint-thread.mjs', import.meta.url);
const COMMITS_PER_LOOK = 20;
/** The answer and the callback of the commit go out first: to wake the thread may cost this one its turn. */
const LOOK_AFTER_MS = 5;
/** A shorter log is not worth a copy. */
const WORTH_BYTES = 1_000_000;
/** Not even rare commits are copied by the program when they are so large. */
const LONG_BYTES = 8_000_000;
const CLOSE_WITHIN_MS = 5_000;

interface Pace {
  /** Commits are rare when `COMMITS_PER_LOOK` of them take so long. */
  rareMs: number;
  /** The thread shortens the log after this rest, and ends after this one. */
  restAfterMs: number;
  endAfterMs: number;
}
const PACE: Pace = { rareMs: 2_000, restAfterMs: 1_000, endAfterMs: 10_000 };

/**
 * Leaves the checkpoints of a database file to a thread: a copy of the whole log would stop the program for tens of
 * milliseconds. The thread runs while there are many commits, and keeps no process alive. Few commits change few pages,
 * which the program copies itself. The returned function ends the thread; its connection is closed then.
 */
export function checkpointInThread(db: Db, path: string, pace: Partial<Pace> = {}): () => void {
  const { rareMs, ...rests } = { ...PACE, ...pace };
  const { sqlite } = db;
  sqlite.pragma('wal_autocheckpoint = 0');
  let commits = 0;
  let lookedAt = elapsedMs();
  let thread: Thread | undefined;
  let toldAt = 0;
  let hasFailed = false;
  let cancelLook: (() => void) | undefined;
  const tell = () => {
    thread ??= start();
    toldAt = elapsedMs();
    thread.worker.postMessage('commits');
  };
  const start = (): Thread => {
    const isClosed = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(THREAD, {
      workerData: { path, isClosed, ...rests },
      resourceLimits: SMALL,
    });
    worker.unref();
    worker.on('message', () => {
      cut(sqlite);
      worker.postMessage('cut');
    });
    worker.on('exit', () => {
      thread = undefined;
      // A thread ends after a long rest. It has heard of no commits that came later.
      if (!hasFailed && elapsedMs() - toldAt < rests.restAfterMs + rests.endAfterMs) tell();
    });
    worker.on('error', () => {
      hasFailed = true;
      stopListening();
      sqlite.pragma('wal_autocheckpoint = 4000');
    });
    return { worker, isClosed };
  };
  const look = () => {
    cancelLook = undefined;
    const areRare = elapsedMs() - lookedAt >= rareMs;
    lookedAt = elapsedMs();
    if (thread) return tell();
    const bytes = logBytes(path);
    if (bytes < WORTH_BYTES) return;
    if (areRare && bytes < LONG_BYTES) return attempt(() => sqlite.pragma('wal_checkpoint(PASSIVE)'));
    tell();
  };
  const stopListening = onCommit(db, () => {
    commits += 1;
    if (commits % COMMITS_PER_LOOK === 0) cancelLook ??= later(LOOK_AFTER_MS, look);
  });
  return () => {
    stopListening();
    cancelLook?.();
    if (!thread) return;
    const { worker, isClosed } = thread;
    worker.removeAllListeners();
    worker.postMessage('end');
    Atomics.wait(isClosed, 0, 0, CLOSE_WITHIN_MS);
  };
}

/** The thread has next to nothing in memory. */
const SMALL = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

interface Thread {
  worker: Worker;
  /** 1: its connection is closed. */
  isClosed: Int32Array;
}

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Copies the rest of the log, and empties it. A reader of the log is not waited for: the next copy is cut. */
function cut(sqlite: Db['sqlite']): void {
  const waitMs = sqlite.pragma('busy_timeout', { simple: true });
  sqlite.pragma('busy_timeout = 0');
  attempt(() => sqlite.pragma('wal_checkpoint(TRUNCATE)'));
  sqlite.pragma(`busy_timeout = ${waitMs}`);
}

function attempt(checkpoint: () => void): void {
  try {
    checkpoint();
  } catch {
    // A full disk, or a lock of another program. It is tried again after the next commits.
  }
}
