import { elapsedMs } from './clock.ts';
import { coveredSince, type Span } from './spans.ts';
import { stallsSince } from './stall.ts';

/**
 * Measures how long this process lets its callers wait, while anybody watches: for the turn of a request or frame, for a
 * ledger that is busy with the calls of others. Who waits for us is not late himself.
 */

/** Of waits that overlap. */
interface Kept extends Span {
  /** The longest one of them. */
  longestMs: number;
}
interface Watch {
  caller: string;
  /** The beginnings of those that go on. */
  open: Set<{ since: number }>;
  /** Of those that have ended, the oldest first. */
  ended: Kept[];
}

/** A healthy process takes less. */
const TOLERANCE_MS = 100;
/** The oldest are forgotten. */
const MAX_KEPT = 2_000;
const watches = new Set<Watch>();

/** A caller waits until the returned function is called. Empty: nobody knows which one. */
export function countQueueDelay(caller: string): () => void {
  const wait = { since: elapsedMs() };
  const seenBy = [...watches].filter(watch => caller === '' || caller === watch.caller);
  for (const { open } of seenBy) open.add(wait);
  return () => {
    for (const { open, ended } of seenBy) if (open.delete(wait)) note(ended, keptBy(wait));
  };
}

function keptBy({ since }: { since: number }): Kept {
  const to = elapsedMs();
  return { from: Math.min(since + TOLERANCE_MS, to), to, longestMs: to - since };
}

function note(ended: Kept[], kept: Kept): void {
  if (kept.from === kept.to) return;
  const last = ended.at(-1);
  if (last && kept.from <= last.to)
    Object.assign(last, {
      from: Math.min(last.from, kept.from),
      to: kept.to,
      longestMs: Math.max(last.longestMs, kept.longestMs),
    });
  else ended.push(kept);
  if (ended.length > MAX_KEPT) ended.shift();
}

/** Counts from now on what this caller is kept waiting, until the returned function is called. */
export function watchQueueDelay(caller: string): () => void {
  const watch: Watch = { caller, open: new Set(), ended: [] };
  watches.add(watch);
  return () => void watches.delete(watch);
}

function keptSince(caller: string, from: number): Kept[] {
  const watch = [...watches].find(each => each.caller === caller);
  if (!watch) return [];
  return [...watch.ended, ...[...watch.open].map(keptBy)].filter(({ to }) => to > from);
}

/** The longest single wait of this caller that has not ended before a time of `elapsedMs`, whole milliseconds. */
export const longestWaitSince = (caller: string, from: number): number =>
  Math.round(Math.max(0, ...keptSince(caller, from).map(({ longestMs }) => longestMs)));

/**
 * Whole milliseconds from now on in which this process was late itself: it stood still, or kept the caller waiting. 0
 * while nobody watches.
 */
export function selfDelay(caller: string): () => number {
  const from = elapsedMs();
  return () => Math.round(coveredSince(from, [...stallsSince(from), ...keptSince(caller, from)]));
}
