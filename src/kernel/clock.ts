/** Wall time in epoch milliseconds. Only this file reads the machine's clock (held by test). */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

let last = { ms: 0, iso: '1970-01-01T00:00:00.000Z' };

/** Most times are written again and again within their millisecond. */
export function toIso(ms: number): string {
  if (ms !== last.ms) last = { ms, iso: new Date(ms).toISOString() };
  return last.iso;
}

/** Monotonic milliseconds, for durations only. */
export const elapsedMs = (): number => performance.now();
