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
export function ethereumFaucet(rpc: JsonRpc, minesAtOnce: () => boolean) {
  let last: Promise<unknown> = Promise.resolve();
  function next<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }
  const pay = async (address: string, wei: bigint, data = '0x') => {
    const [faucet] = await rpc.call<string[]>('eth_accounts');
    const payment = { from: faucet, to: address, value: hex(wei), data };
    const hash = await rpc.call<string>('eth_sendTransaction', payment).catch(asFaucetRefusal);
    if (minesAtOnce()) await waitForReceipt(rpc, hash);
    return { hash };
  };
  /** While the payment is mined the address has a contract that takes nothing. */
  const fail = async (address: string, wei: bigint) => {
    if (!minesAtOnce()) throw new FaucetRefusal('a payment fails only where each one is mined at once');
    const code = await rpc.call<string>('eth_getCode', address, 'latest');
    await rpc.call('anvil_setCode', address, TAKES_NOTHING);
    try {
      const [faucet] = await rpc.call<string[]>('eth_accounts');
      const payment = { from: faucet, to: address, value: hex(wei), gas: hex(GAS) };
      const hash = await rpc.call<string>('eth_sendTransaction', payment).catch(asFaucetRefusal);
      await waitForReceipt(rpc, hash);
      return { hash };
    } finally {
      await rpc.call('anvil_setCode', address, code);
    }
  };
  return {
    pay: (address: string, wei: bigint, data?: string): Promise<{ hash: string }> =>
      next(() => pay(address, wei, data)),
    fail: (address: string, wei: bigint): Promise<{ hash: string }> => next(() => fail(address, wei)),
  };
}

/** `REVERT(0, 0)` */
const TAKES_NOTHING = '0x60006000fd';
const GAS = 100_000;

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
