import { elapsedMs, interval } from './clock.ts';
import { coveredSince, type Span } from './text.ts';

/**
 * Measures when the event loop of this process stands still: a machine that is busy, a long computation. While it does,
 * no answer of anybody is read, and nobody else is late. One measurement for the process, while anybody watches.
 */

const TICK_MS = 10;
/** A tick that comes later than this is a stall. */
const TOLERANCE_MS = 10;
/** The oldest are forgotten. */
const MAX_KEPT = 2_000;

let watchers = 0;
let stop = () => {};
let lastTick = 0;
/** Of the event loop: when it began, and the work until then. */
let turn = { at: 0, workMs: 0 };
const stalls: Span[] = [];

function tick(): void {
  const now = elapsedMs();
  const expected = lastTick + TICK_MS;
  if (now - expected > TOLERANCE_MS) {
    stalls.push({ from: expected, to: now });
    if (stalls.length > MAX_KEPT) stalls.shift();
  }
  lastTick = now;
}

/** To ask for the work costs the process its place at the processor, so it is asked for no more often. */
function beginTurn(): void {
  turn = { at: elapsedMs(), workMs: workMs() };
}

/** What the processor has done for this process. */
function workMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Milliseconds of work since the event loop began its turn or was asked before, with a tick more at most. A machine that is
 * busy with others adds nothing. 0: nobody watches.
 */
export function workOfTurn(): number {
  if (watchers === 0) return 0;
  const { at, workMs: before } = turn;
  beginTurn();
  return Math.min(turn.at - at, turn.workMs - before);
}

/** Measures until the returned function is called. */
export function watchStalls(): () => void {
  if (watchers++ === 0) {
    lastTick = elapsedMs();
    beginTurn();
    stop = interval(TICK_MS, () => {
      tick();
      beginTurn();
    });
  }
  let isWatching = true;
  return () => {
    if (!isWatching) return;
    isWatching = false;
    if (--watchers === 0) stop();
  };
}

/** Milliseconds since a time of `elapsedMs` in which this process did not stand still. */
export const awakeSince = (from: number): number => elapsedMs() - from - stallSince(from);

/** The most stall within any `windowMs` since a time of `elapsedMs`, whole milliseconds. */
export function longestStallWithin(windowMs: number, from: number): number {
  if (watchers > 0) tick();
  const later = stalls.filter(each => each.to > from);
  const sumUntil = (end: number) =>
    later
      .filter(each => each.to > end - windowMs && each.to <= end)
      .reduce((sum, each) => sum + each.to - Math.max(each.from, end - windowMs, from), 0);
  return Math.round(Math.max(0, ...later.map(({ to }) => sumUntil(to))));
}

/** Those that have not ended before a time of `elapsedMs`. None, when nobody watches. */
function stallsSince(from: number): Span[] {
  if (watchers === 0) return [];
  tick();
  return stalls.filter(({ to }) => to > from);
}

/** Whole milliseconds of stall since a time of `elapsedMs`. 0: none, or nobody watches. */
export const stallSince = (from: number): number => Math.round(coveredSince(from, stallsSince(from)));

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
const QUEUE_DELAY_TOLERANCE_MS = 100;
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
  return { from: Math.min(since + QUEUE_DELAY_TOLERANCE_MS, to), to, longestMs: to - since };
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
