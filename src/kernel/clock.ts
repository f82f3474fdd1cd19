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
      // In this order: what passes between the two is never counted twice.
      const now = wall.now();
      const elapsed = elapsedMs();
      last = Math.max(now, last + CATCHING_UP * (elapsed - lastElapsed));
      lastElapsed = elapsed;
      return Math.floor(last);
    },
  };
}

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Monotonic milliseconds, for durations only. */
export const elapsedMs = (): number => performance.now();

const TICK_MS = 100;
/** Less is the time between the reading of the two clocks, or a clock that is slewed. */
const TOLERANCE_MS = 100;

/**
 * Compares the machine's clock with the monotonic one. While it is set by somebody, the times of two events say nothing
 * about what passed between them.
 */
export function watchClock(clock: Clock = systemClock) {
  const offset = () => clock.now() - elapsedMs();
  let last = offset();
  let greatest = 0;
  const look = () => {
    const now = offset();
    const jump = now - last;
    last = now;
    if (Math.abs(jump) > Math.max(TOLERANCE_MS, Math.abs(greatest))) greatest = jump;
  };
  const stop = interval(TICK_MS, look);
  return {
    /** The greatest jump since the start, whole milliseconds; negative: backwards. 0: none. */
    jumpMs(): number {
      look();
      return Math.round(greatest);
    },
    stop,
  };
}

/** A timer of Node.js ends at once after more, which is 24 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
const timerMs = (ms: number): number => Math.min(ms, LONGEST_TIMER_MS);

/** Calls `wake` every `ms` milliseconds. The returned function ends that. Does not keep the process alive. */
export function interval(ms: number, wake: () => void): () => void {
  const timer = setInterval(wake, timerMs(ms));
  timer.unref();
  return () => clearInterval(timer);
}

/** Calls `wake` again and again, each time after `delayMs()`, until the returned function is called. Keeps no process alive. */
export function repeat(delayMs: () => number, wake: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = () => {
    timer = setTimeout(() => {
      wake();
      arm();
    }, timerMs(delayMs())).unref();
  };
  arm();
  return () => clearTimeout(timer);
}

/** Calls `wake` once, after `ms` milliseconds, unless the returned function is called before. Keeps no process alive. */
export function later(ms: number, wake: () => void): () => void {
  const timer = setTimeout(wake, timerMs(ms)).unref();
  return () => clearTimeout(timer);
}

/** Resolves after `ms` milliseconds. Keeps the process alive until then. */
export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, timerMs(ms)));

/** Resolves in the next turn of the event loop: requests come first. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Settles as the first of `promises`, or resolves with undefined after `ms`. What comes later is nobody's. */
export function firstWithin<T>(ms: number, promises: readonly Promise<T>[]): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timeout = Number.isFinite(ms) ? setTimeout(() => resolve(undefined), timerMs(ms)) : undefined;
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timeout);
        settle(value);
      };
    for (const promise of promises) promise.then(end(resolve), end(reject));
  });
}

const LOOK_EVERY_MS = 1_000;
const REPEAT_AFTER_MS = 10_000;

/** Prints what is being done and for how long, after each second without output; the same text every ten seconds. */
export function ticker(first: string, print: (line: string) => void) {
  const began = elapsedMs();
  let text = first;
  let shown = { text: '', at: 0 };
  let quietSince = began;
  const stop = interval(LOOK_EVERY_MS, () => {
    const now = elapsedMs();
    if (text === '' || now - quietSince < LOOK_EVERY_MS) return;
    if (text === shown.text && now - shown.at < REPEAT_AFTER_MS) return;
    shown = { text, at: now };
    print(`${text} … ${Math.round((now - began) / 1000)} s`);
  });
  return {
    /** The work from now on. Empty: a person is asked, and nothing is printed meanwhile. */
    now(next: string) {
      text = next;
    },
    /** Something was printed: the next second shows nothing. */
    restart() {
      quietSince = elapsedMs();
    },
    stop,
  };
}
