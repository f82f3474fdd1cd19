import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 5;
const LONGEST_MS = 40;

/**
 * Resolves when it holds; a test that waits in vain ends by its own time limit. Looks ever more rarely, because each
 * look takes time from the program.
 */
export async function until(holds: () => boolean | Promise<boolean>, longestMs = LONGEST_MS): Promise<void> {
  for (let ms = FIRST_MS; !(await holds()); ms = Math.min(2 * ms, longestMs)) await delay(ms);
}
