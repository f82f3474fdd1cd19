import { systemClock } from '../../kernel/clock.ts';
import type { Head } from '../port.ts';

/** A block reaches the nodes so long after the time in its header. The delay is learned: every call too early adds a step. */
const DELAY_MS = { least: 500, most: 4_000, step: 500, decay: 50 };
const SAMPLE_BLOCKS = 32;
/** A chain that makes blocks rarely or irregularly is asked at least this often. */
const LONGEST_MS = 15_000;

/** When the next block is worth a call: as soon as it can be there, and rarely on a chain that makes none. */
export interface BlockPolling {
  /** The newest block of a reading. */
  seen(head: Head): void;
  /** Milliseconds until the next call. */
  delayMs(): number;
}

/** `shortestMs`: at least this long between two calls. */
export function blockPolling(shortestMs: number): BlockPolling {
  const heads: Head[] = [];
  let delayMs = DELAY_MS.least;
  const blockTimeMs = (): number | undefined => {
    const [first, last] = [heads[0], heads.at(-1)];
    if (!first || !last || last.height === first.height) return undefined;
    return (last.at - first.at) / (last.height - first.height);
  };
  return {
    seen(head) {
      const last = heads.at(-1);
      if (last && head.height <= last.height) {
        delayMs = Math.min(delayMs + DELAY_MS.step, DELAY_MS.most);
        return;
      }
      delayMs = Math.max(delayMs - DELAY_MS.decay, DELAY_MS.least);
      heads.push(head);
      while (heads.length > 2 && head.height - heads[0]!.height > SAMPLE_BLOCKS) heads.shift();
    },
    delayMs() {
      const blockTime = blockTimeMs();
      const last = heads.at(-1);
      if (!last || blockTime === undefined) return shortestMs;
      const overdueMs = systemClock.now() - (last.at + blockTime + delayMs);
      const wait = overdueMs > 2 * blockTime ? blockTime : -overdueMs;
      return Math.max(shortestMs, Math.min(wait, LONGEST_MS));
    },
  };
}

/** For the embedded node: always the same interval. */
export const fixedPolling = (intervalMs: number): BlockPolling => ({ seen() {}, delayMs: () => intervalMs });
