import { elapsedMs } from './clock.ts';
import { sleep } from './interval.ts';

const PART_MS = 5;
const PAUSE_MS = 5;

/** Runs steps for `ms` milliseconds. True: none is left. */
export function runPart(steps: Iterator<void>, ms: number): boolean {
  for (const startedAt = elapsedMs(); elapsedMs() - startedAt < ms; ) if (steps.next().done) return true;
  return false;
}

/** Runs all steps. Others have their turn between two parts. */
export async function runInParts(steps: Iterator<void>): Promise<void> {
  while (!runPart(steps, PART_MS)) await sleep(PAUSE_MS);
}
