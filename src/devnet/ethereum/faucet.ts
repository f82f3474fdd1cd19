import { setTimeout as delay } from 'node:timers/promises';
import { type JsonRpc, RpcRefusal } from '../../kernel/json-rpc.ts';
import { FaucetRefusal } from '../faucet-refusal.ts';
import { hex } from './knobs.ts';

/** The node answers shortly before the block exists. */
const BLOCK_WITHIN_MS = 2_000;

/**
 * Sends one payment after the other, because the node gives two parallel ones the same nonce. With `minesAtOnce` it
 * resolves when a block holds the payment. Throws `FaucetRefusal` when the node refuses the payment.
 */
export function ethereumFaucet(
  rpc: JsonRpc,
  minesAtOnce: () => boolean,
): (address: string, wei: bigint, data?: string) => Promise<{ hash: string }> {
  let last: Promise<unknown> = Promise.resolve();
  const pay = async (address: string, wei: bigint, data = '0x') => {
    const [faucet] = await rpc.call<string[]>('eth_accounts');
    const payment = { from: faucet, to: address, value: hex(wei), data };
    const hash = await rpc.call<string>('eth_sendTransaction', payment).catch(asFaucetRefusal);
    if (minesAtOnce()) await waitForReceipt(rpc, hash);
    return { hash };
  };
  return (address, wei, data) => {
    const paid = last.then(() => pay(address, wei, data));
    last = paid.catch(() => {});
    return paid;
  };
}

async function waitForReceipt(rpc: JsonRpc, hash: string): Promise<void> {
  const end = performance.now() + BLOCK_WITHIN_MS;
  while (performance.now() < end) {
    if (await rpc.call('eth_getTransactionReceipt', hash)) return;
    await delay(1);
  }
}

function asFaucetRefusal(error: unknown): never {
  if (error instanceof RpcRefusal) throw new FaucetRefusal(error.message, { cause: error });
  throw error;
}
