import { elapsedMs } from './clock.ts';
import { interval } from './interval.ts';
import { coveredSince, type Span } from './spans.ts';

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
let workAtTick = 0;
const stalls: Span[] = [];

function tick(): void {
  const now = elapsedMs();
  const expected = lastTick + TICK_MS;
  if (now - expected > TOLERANCE_MS) {
    stalls.push({ from: expected, to: now });
    if (stalls.length > MAX_KEPT) stalls.shift();
  }
  lastTick = now;
  workAtTick = workMs();
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
  const worked = Math.min(elapsedMs() - lastTick, workMs() - workAtTick);
  tick();
  return worked;
}

/** Measures until the returned function is called. */
export function watchStalls(): () => void {
  if (watchers++ === 0) {
    lastTick = elapsedMs();
    workAtTick = workMs();
    stop = interval(TICK_MS, tick);
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
export function stallsSince(from: number): Span[] {
  if (watchers === 0) return [];
  tick();
  return stalls.filter(({ to }) => to > from);
}

/** Whole milliseconds of stall since a time of `elapsedMs`. 0: none, or nobody watches. */
export const stallSince = (from: number): number => Math.round(coveredSince(from, stallsSince(from)));
