import { hex } from './knobs.ts';
import type { NodeRpc } from './rpc.ts';

/** One payment after the other: the node gives two at once the same nonce. */
export function ethereumFaucet(rpc: NodeRpc): (address: string, wei: bigint) => Promise<{ hash: string }> {
  let last: Promise<unknown> = Promise.resolve();
  const pay = async (address: string, wei: bigint) => {
    const [faucet] = await rpc.call<string[]>('eth_accounts');
    const payment = { from: faucet, to: address, value: hex(wei) };
    return { hash: await rpc.call<string>('eth_sendTransaction', payment) };
  };
  return (address, wei) => {
    const paid = last.then(() => pay(address, wei));
    last = paid.catch(() => {});
    return paid;
  };
}
