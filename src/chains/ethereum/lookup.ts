import type { TransactionLookup } from '../port.ts';
import type { Confirmations } from './finality.ts';
import type { EthereumNode } from './node.ts';
import { stateOf } from './state.ts';

interface Transaction {
  from: string;
  to: string | null;
  value: string;
}

/** As `Chain.lookup`: the transfer of the transaction itself. */
export async function lookup(
  node: EthereumNode,
  confirmations: Confirmations,
  txHash: string,
): Promise<TransactionLookup> {
  const state = await stateOf(node, confirmations, txHash);
  if (!('succeeded' in state) || !state.succeeded) return { state, transfers: [] };
  const transaction = await node.call<Transaction | null>('eth_getTransactionByHash', txHash);
  if (!transaction?.to || BigInt(transaction.value) === 0n) return { state, transfers: [] };
  const { from, to, value } = transaction;
  const account = to.toLowerCase();
  return {
    state,
    transfers: [{ index: 0, from: from.toLowerCase(), to: { account }, amount: BigInt(value) }],
  };
}
