import { elapsedMs } from './clock.ts';
import { sleep } from './interval.ts';

const PART_MS = 5;
const PAUSE_MS = 5;

/** Runs steps for `ms` milliseconds. Undefined: some are left. */
export function runPart<T>(steps: Iterator<void, T>, ms: number): IteratorReturnResult<T> | undefined {
  for (const startedAt = elapsedMs(); elapsedMs() - startedAt < ms; ) {
    const step = steps.next();
    if (step.done) return step;
  }
  return undefined;
}

/** Runs all steps, and returns what they make. Others have their turn between two parts. */
export async function runInParts<T>(steps: Iterator<void, T>): Promise<T> {
  for (;;) {
    const end = runPart(steps, PART_MS);
    if (end) return end.value;
    await sleep(PAUSE_MS);
  }
}
