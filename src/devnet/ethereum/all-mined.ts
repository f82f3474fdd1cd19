import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRpc } from '../../kernel/json-rpc.ts';

const LOOK_EVERY_MS = 2;
const MINED_WITHIN_MS = 2_000;

/**
 * Waits until the node has made the blocks of all transactions that it has taken. A node that makes no block at once has
 * nothing to wait for.
 */
export function allMined(rpc: JsonRpc): () => Promise<void> {
  /** Transactions that bid too little: they were awaited once. */
  let stuck = 0;
  return async () => {
    if (!(await rpc.call<boolean>('anvil_getAutomine'))) return;
    const end = performance.now() + MINED_WITHIN_MS;
    const waiting = async () => Number((await rpc.call<{ pending: string }>('txpool_status')).pending);
    let pending = await waiting();
    while (pending > stuck && performance.now() < end) {
      await delay(LOOK_EVERY_MS);
      pending = await waiting();
    }
    stuck = pending;
  };
}
