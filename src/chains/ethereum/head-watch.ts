import { repeat } from '../../kernel/interval.ts';
import type { Chain } from '../port.ts';
import type { BlockPolling } from './polling.ts';

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
