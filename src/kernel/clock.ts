/** Wall time in epoch milliseconds. Only this file reads the machine's clock (held by test). */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

const KEPT_TEXTS = 16;
const kept: { ms: number; iso: string }[] = [];

/** Most times are written again and again within their millisecond. */
export function toIso(ms: number): string {
  const place = Math.trunc(Math.abs(ms)) % KEPT_TEXTS;
  const last = kept[place];
  if (last?.ms === ms) return last.iso;
  const iso = new Date(ms).toISOString();
  kept[place] = { ms, iso };
  return iso;
}

/** Monotonic milliseconds, for durations only. */
export const elapsedMs = (): number => performance.now();
