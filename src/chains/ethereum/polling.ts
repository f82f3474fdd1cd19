import { elapsedMs, repeat } from '../../kernel/clock.ts';
import type { Chain, Head } from '../port.ts';

/** After a call that found a new block at once, the next one is made earlier by this part of the block time. */
const EARLIER = 1 / 40;
const SAMPLE_BLOCKS = 32;
const OVERDUE_BLOCKS = 2.5;
/** A chain that makes blocks rarely or irregularly is asked at least this often. */
const LONGEST_MS = 15_000;
/** Timers fire this much too early. */
const TOLERANCE_MS = 20;

export type BlockPolling = ReturnType<typeof blockPolling>;

/**
 * When the next block is worth a call: as soon as it can be there, and rarely on a chain that makes none. Learns the moment at which blocks arrive, whatever the clock of the node and the time in the headers say: one block
 * time after the last arrival. `shortestMs`: at least this long between two calls.
 */
export function blockPolling(shortestMs: number) {
  const heads: Head[] = [];
  let arrivedAt = 0;
  let askedAt = 0;
  let isEarly = false;
  const blockTimeMs = (): number | undefined => {
    const [first, last] = [heads[0], heads.at(-1)];
    if (!first || !last || last.height === first.height) return undefined;
    return (last.at - first.at) / (last.height - first.height);
  };
  /** Until the next call. Not positive: it is due. */
  const waitMs = (): number => {
    const blockTime = blockTimeMs();
    if (blockTime === undefined) return 0;
    const now = elapsedMs();
    const isSlow = now - arrivedAt > 3 * blockTime;
    const dueAt = isSlow ? askedAt + blockTime : arrivedAt + blockTime;
    return Math.min(dueAt, askedAt + LONGEST_MS) - now;
  };
  return {
    /** The newest block of a reading. */
    seen(head: Head): void {
      askedAt = elapsedMs();
      const last = heads.at(-1);
      if (last && head.height <= last.height) {
        isEarly = true;
        return;
      }
      // It may have been there before the call.
      arrivedAt = elapsedMs() - (isEarly ? 0 : (blockTimeMs() ?? 0) * EARLIER);
      isEarly = false;
      heads.push(head);
      while (heads.length > 2 && head.height - heads[0]!.height > SAMPLE_BLOCKS) heads.shift();
    },
    /** Until it should be asked again whether a call is due: a call that runs now may bring a new block. */
    delayMs: () => Math.max(shortestMs, waitMs()),
    isDue: () => waitMs() <= TOLERANCE_MS,
    /** True: the next block should have been there long ago. */
    isOverdue: () => elapsedMs() - arrivedAt > OVERDUE_BLOCKS * (blockTimeMs() ?? Number.POSITIVE_INFINITY),
  };
}

/** For the embedded node: always the same interval. */
export const fixedPolling = (intervalMs: number): BlockPolling => ({
  seen() {},
  delayMs: () => intervalMs,
  isDue: () => true,
  isOverdue: () => false,
});

/** Wakes a reader when a call may bring a new block, or when the node tells of one. */
export function headWatch(
  polling: BlockPolling,
  onBlock?: (wake: () => void) => () => void,
): { onHead: Chain['onHead']; close(): void } {
  const pollings = new Set<() => void>();
  return {
    onHead(wake) {
      const stop = repeat(polling.delayMs, () => {
        if (polling.isDue()) wake();
      });
      const stopListening = onBlock?.(wake);
      pollings.add(stop);
      return () => {
        stop();
        stopListening?.();
        pollings.delete(stop);
      };
    },
    close() {
      for (const stop of pollings) stop();
    },
  };
}
