import { runPart } from './in-parts.ts';
import { repeat } from './interval.ts';
import type { Log } from './log.ts';
import { storageTrouble } from './storage-trouble.ts';

const FIRST_SWEEP_MS = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** Requests are served between two parts. */
const PAUSE_MS = 20;
const PART_MS = 5;

/** Deletes old data every minute, in steps. `failed`: the message of the log. The returned function ends it. */
export function startSweep(sweep: () => Iterator<void>, log: Log, failed: string): () => void {
  let steps: Iterator<void> | undefined;
  let delayMs = FIRST_SWEEP_MS;
  return repeat(
    () => delayMs,
    () => {
      try {
        steps ??= sweep();
        if (runPart(steps, PART_MS)) steps = undefined;
      } catch (error) {
        steps = undefined;
        if (!storageTrouble(error)) log.error({ err: String(error) }, failed);
      }
      delayMs = steps ? PAUSE_MS : SWEEP_EVERY_MS;
    },
  );
}
