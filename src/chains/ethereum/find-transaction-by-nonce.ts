import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type EthereumNode, hex } from './node.ts';

/** Nodes keep the states of about 128 blocks; farther back nothing is proven. */
const REACH = 120;

/**
 * Hash of the transaction that stands with this nonce in a block up to `final`, found by the block in which the
 * account's count passes it: a node that lags behind cannot make one disappear. Undefined: not found.
 */
export async function userOfNumber(
  node: EthereumNode,
  account: string,
  number: number,
  { head, final }: { head: number; final: number },
): Promise<string | undefined> {
  const isUsedAt = async (height: number) =>
    Number(await node.ask<string>('eth_getTransactionCount', account, hex(height))) > number;
  let [before, at] = [Math.max(head - REACH, 0), final];
  try {
    if (at <= before || (await isUsedAt(before)) || !(await isUsedAt(at))) return undefined;
    while (at - before > 1) {
      const middle = Math.floor((before + at) / 2);
      if (await isUsedAt(middle)) at = middle;
      else before = middle;
    }
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined;
    throw error;
  }
  const block = await node.fullBlock(at);
  const user = block?.transactions.find(
    transaction => transaction.from.toLowerCase() === account && Number(transaction.nonce) === number,
  );
  return user?.hash;
}
