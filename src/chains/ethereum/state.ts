import type { TransactionState } from '../port.ts';
import { executionOf } from './execution.ts';
import { type Confirmations, finalHeight, headBlock } from './finality.ts';
import type { EthereumNode } from './node.ts';

const HASH = /^0x[0-9a-fA-F]{64}$/;

export async function stateOf(
  node: EthereumNode,
  confirmations: Confirmations,
  txHash: string,
): Promise<TransactionState> {
  if (!HASH.test(txHash)) return { status: 'unknown' };
  const receipt = await node.receipt(txHash);
  if (!receipt) {
    const transaction = await node.call<object | null>('eth_getTransactionByHash', txHash);
    return { status: transaction ? 'pending' : 'unknown' };
  }
  const height = Number(receipt.blockNumber);
  const final = await isFinal(node, confirmations, height);
  return {
    status: final ? 'final' : 'included',
    height,
    blockHash: receipt.blockHash,
    ...(await executionOf(node, txHash, receipt)),
  };
}

/** One confirmation is the block itself, so no call is needed. */
async function isFinal(node: EthereumNode, confirmations: Confirmations, height: number): Promise<boolean> {
  if (confirmations === 1) return true;
  const head = await headBlock(node);
  return height <= (await finalHeight(node, confirmations, Number(head.number)));
}
