import { elapsedMs } from './clock.ts';
import { interval } from './interval.ts';

/**
 * Measures when the event loop of this process stands still: a machine that is busy, a long computation. While it does,
 * no answer of anybody is read, and nobody else is late. One measurement for the process, while anybody watches.
 */

interface Standstill {
  from: number;
  to: number;
}

const TICK_MS = 10;
/** A tick that comes later than this is a standstill. */
const TOLERANCE_MS = 10;
/** The oldest are forgotten. */
const MOST_KEPT = 2_000;

let watchers = 0;
let stop = () => {};
let lastTick = 0;
const standstills: Standstill[] = [];

function tick(): void {
  const now = elapsedMs();
  const expected = lastTick + TICK_MS;
  if (now - expected > TOLERANCE_MS) {
    standstills.push({ from: expected, to: now });
    if (standstills.length > MOST_KEPT) standstills.shift();
  }
  lastTick = now;
}

/** Measures until the returned function is called. */
export function watchStandstills(): () => void {
  if (watchers++ === 0) {
    lastTick = elapsedMs();
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
export const awakeSince = (from: number): number => elapsedMs() - from - standstillSince(from);

/** The most standstill within any `windowMs` since a time of `elapsedMs`, whole milliseconds. */
export function mostStandstillWithin(windowMs: number, from: number): number {
  if (watchers > 0) tick();
  const later = standstills.filter(each => each.to > from);
  const sumUntil = (end: number) =>
    later
      .filter(each => each.to > end - windowMs && each.to <= end)
      .reduce((sum, each) => sum + each.to - Math.max(each.from, end - windowMs, from), 0);
  return Math.round(Math.max(0, ...later.map(({ to }) => sumUntil(to))));
}

/** Whole milliseconds of standstill since a time of `elapsedMs`. 0: none, or nobody watches. */
export function standstillSince(from: number): number {
  if (watchers === 0) return 0;
  tick();
  let sum = 0;
  for (const each of standstills) if (each.to > from) sum += each.to - Math.max(each.from, from);
  return Math.round(sum);
}
