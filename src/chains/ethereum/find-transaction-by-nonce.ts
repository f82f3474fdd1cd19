import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { Sender } from '../port.ts';
import { type EthereumNode, hex } from './node.ts';

/** Nodes keep the states of about 128 blocks; nothing is proven before them. */
const REACH = 120;

/**
 * Hash of the transaction with this nonce in a block up to `last`. Searches the block in which the account's
 * transaction count passes the nonce, so a lagging node cannot hide it. Undefined: not found.
 */
export async function findTransactionByNonce(
  node: EthereumNode,
  { account, sequence }: Sender,
  { head, last }: { head: number; last: number },
): Promise<string | undefined> {
  const isUsedAt = async (height: number) =>
    Number(await node.ask<string>('eth_getTransactionCount', account, hex(height))) > sequence;
  let [before, at] = [Math.max(head - REACH, 0), last];
  try {
    if (at <= before || !(await isUsedAt(at)) || (await isUsedAt(before))) return undefined;
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
  const transaction = block?.transactions.find(
    transaction => transaction.from.toLowerCase() === account && Number(transaction.nonce) === sequence,
  );
  return transaction?.hash;
}
