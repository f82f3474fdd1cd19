import { elapsedMs } from './clock.ts';

/** Runs steps for `ms` milliseconds. True: none is left. */
export function runPart(steps: Iterator<void>, ms: number): boolean {
  for (const startedAt = elapsedMs(); elapsedMs() - startedAt < ms; ) if (steps.next().done) return true;
  return false;
}
