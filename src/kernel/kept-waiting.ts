import { elapsedMs } from './clock.ts';
import { standstillSince } from './standstill.ts';

/**
 * Measures how long this process lets its callers wait, while anybody watches: for the turn of a request, for a ledger that
 * is busy with the calls of others. Who waits for us is not late himself.
 */

interface Wait {
  since: number;
}
interface Watch {
  caller: string;
  /** The oldest first. */
  waits: Set<Wait>;
  readAt: number;
  keptMs: number;
}

/** A healthy process takes less. */
const TOLERANCE_MS = 100;
const watches = new Set<Watch>();

/** A caller waits until the returned function is called. Empty: nobody knows which one. */
export function keepWaiting(caller: string): () => void {
  const wait = { since: elapsedMs() };
  const seenBy = [...watches].filter(watch => caller === '' || caller === watch.caller);
  for (const watch of seenBy) {
    read(watch);
    watch.waits.add(wait);
  }
  return () => {
    for (const watch of seenBy) {
      read(watch);
      watch.waits.delete(wait);
    }
  };
}

function read(watch: Watch): number {
  const now = elapsedMs();
  const [oldest] = watch.waits;
  if (oldest) watch.keptMs += Math.max(0, now - Math.max(watch.readAt, oldest.since + TOLERANCE_MS));
  watch.readAt = now;
  return watch.keptMs;
}

/** Counts from now on what this caller is kept waiting, until the returned function is called. */
export function watchKeptWaiting(caller: string): () => void {
  const watch: Watch = { caller, waits: new Set(), readAt: elapsedMs(), keptMs: 0 };
  watches.add(watch);
  return () => void watches.delete(watch);
}

const keptMs = (caller: string): number => {
  const watch = [...watches].find(each => each.caller === caller);
  return watch ? read(watch) : 0;
};

/**
 * Whole milliseconds from now on in which this process was late itself: it stood still, or kept the caller waiting. 0
 * while nobody watches.
 */
export function ownDelay(caller: string): () => number {
  const from = elapsedMs();
  const before = keptMs(caller);
  return () => Math.max(standstillSince(from), Math.round(keptMs(caller) - before));
}
