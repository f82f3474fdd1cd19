import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRpc } from '../../kernel/json-rpc.ts';
import { hex } from './knobs.ts';

/** The node answers a moment before its block is there. */
const BLOCK_WITHIN_MS = 2_000;

/**
 * One payment after the other: the node gives two at once the same nonce. With `minesAtOnce` it resolves when the
 * payment stands in a block.
 */
export function ethereumFaucet(
  rpc: JsonRpc,
  minesAtOnce: () => boolean,
): (address: string, wei: bigint) => Promise<{ hash: string }> {
  let last: Promise<unknown> = Promise.resolve();
  const pay = async (address: string, wei: bigint) => {
    const [faucet] = await rpc.call<string[]>('eth_accounts');
    const payment = { from: faucet, to: address, value: hex(wei) };
    const hash = await rpc.call<string>('eth_sendTransaction', payment);
    if (minesAtOnce()) await standsInBlock(rpc, hash);
    return { hash };
  };
  return (address, wei) => {
    const paid = last.then(() => pay(address, wei));
    last = paid.catch(() => {});
    return paid;
  };
}

async function standsInBlock(rpc: JsonRpc, hash: string): Promise<void> {
  const end = performance.now() + BLOCK_WITHIN_MS;
  while (performance.now() < end) {
    if (await rpc.call('eth_getTransactionReceipt', hash)) return;
    await delay(1);
  }
}
