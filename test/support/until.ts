import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when it holds; a test that waits in vain ends by its own time limit. */
export async function until(holds: () => boolean | Promise<boolean>, everyMs = 10): Promise<void> {
  while (!(await holds())) await delay(everyMs);
}
