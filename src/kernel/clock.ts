/** Wall time in epoch milliseconds. Only this file reads the machine's clock (held by test). */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Monotonic milliseconds, for durations only. */
export const elapsedMs = (): number => performance.now();
