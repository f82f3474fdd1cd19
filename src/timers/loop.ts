import { setTimeout as sleep } from 'node:timers/promises';
import { awakeSince } from '../kernel/stall.ts';

/** Calls a task later. Only this file waits (held by test). */
export type Loop = ReturnType<typeof createLoop>;

const LONGEST_SLEEP_MS = 60_000;

export function createLoop(task: (timeIsUp: boolean) => void) {
  let immediate: NodeJS.Immediate | undefined;
  let timeout: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let stopped = false;

  const run = () => {
    immediate = undefined;
    if (!stopped) task(false);
  };
  return {
    /** Calls `task(false)` in a later turn of the event loop; requests of the same turn result in one call. */
    soon(): void {
      if (!stopped) immediate ??= setImmediate(run);
    },
    /** Calls `task(true)` after `ms` at the latest; the earliest request wins. */
    within(ms: number): void {
      const at = performance.now() + Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS);
      if (stopped || at >= wakesAt) return;
      clearTimeout(timeout);
      wakesAt = at;
      timeout = setTimeout(() => {
        wakesAt = Number.POSITIVE_INFINITY;
        if (!stopped) task(true);
      }, at - performance.now());
    },
    stop(): void {
      stopped = true;
      clearImmediate(immediate);
      clearTimeout(timeout);
    },
  };
}

/** Resolves after `ms` of real time, or at once when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** The same since a time of `elapsedMs`, without the time in which the process stands still. */
export async function pauseAwake(since: number, ms: number, signal: AbortSignal): Promise<void> {
  const left = () => ms - awakeSince(since);
  while (left() > 0 && !signal.aborted) await pause(left(), signal);
}

/** Aborts after `ms` of real time. Node.js 20 loses an `AbortSignal.timeout` that only an `AbortSignal.any` refers to. */
export function expiresIn(ms: number): AbortSignal {
  const end = new AbortController();
  setTimeout(() => end.abort(), ms).unref();
  return end.signal;
}
