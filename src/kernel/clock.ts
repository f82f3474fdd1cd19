/** Wall time in epoch milliseconds. Only this file reads the machine's clock (held by test). */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** While the machine's clock is behind, the time passes so much slower. */
const CATCHING_UP = 0.9;

/**
 * The same time, which is never set back: what is due in a second stays due in a second. It goes on more slowly until the
 * machine's clock has caught up.
 */
export function steadyClock(wall: Clock): Clock {
  let last = wall.now();
  let lastElapsed = elapsedMs();
  return {
    now() {
      const elapsed = elapsedMs();
      last = Math.max(wall.now(), last + CATCHING_UP * (elapsed - lastElapsed));
      lastElapsed = elapsed;
      return Math.floor(last);
    },
  };
}

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Monotonic milliseconds, for durations only. */
export const elapsedMs = (): number => performance.now();
