import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRpc } from '../../kernel/json-rpc.ts';

const LOOK_EVERY_MS = 2;
/** A transaction that bids too little waits for longer. */
const MINED_WITHIN_MS = 2_000;

/**
 * Waits until the node has made the blocks of all transactions that it has taken. A node that makes no block at once has
 * nothing to wait for. `changes`: as of the known head; without a change there is no call.
 */
export function allMined(rpc: JsonRpc, changes: () => number): () => Promise<void> {
  let minedUpTo = -1;
  return async () => {
    const before = changes();
    if (before === minedUpTo || !(await rpc.call<boolean>('anvil_getAutomine'))) return;
    const end = performance.now() + MINED_WITHIN_MS;
    while (performance.now() < end) {
      const { pending } = await rpc.call<{ pending: string }>('txpool_status');
      if (Number(pending) === 0) break;
      await delay(LOOK_EVERY_MS);
    }
    minedUpTo = before;
  };
}
