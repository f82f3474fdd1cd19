import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { Execution, TransactionState } from '../port.ts';
import { type Confirmations, finalHeight, headOf } from './finality.ts';
import { type EthereumNode, hex, type Receipt } from './node.ts';
import { traceTransaction } from './value-transfers.ts';

/** How a transaction ended. No receipt says why one failed, so the node is asked only then. */
async function executionOf(node: EthereumNode, txHash: string, receipt: Receipt): Promise<Execution> {
  if (receipt.status === '0x1') return { succeeded: true };
  const failure =
    (await tracedFailure(node, txHash)) ??
    (await replayedFailure(node, txHash, receipt)) ??
    'it failed, and the node does not say why';
  return { succeeded: false, failure: failure.slice(0, MOST_CHARACTERS) };
}

/** Of a reason, which may be a text of the recipient's contract. */
const MOST_CHARACTERS = 200;

async function tracedFailure(node: EthereumNode, txHash: string): Promise<string | undefined> {
  const root = await traceTransaction(node, txHash);
  if (root?.error === undefined) return undefined;
  return root.revertReason === undefined ? root.error : `${root.error}: ${root.revertReason}`;
}

/** The same call on the state before the block. The transactions before it in the block may make a difference. */
async function replayedFailure(node: EthereumNode, txHash: string, { blockNumber }: Receipt) {
  const transaction = await node.transaction(txHash);
  if (!transaction) return undefined;
  const { from, to, value, gas, input } = transaction;
  const call = { from, to, value, gas, input };
  try {
    await node.ask('eth_call', call, hex(Number(blockNumber) - 1));
    return undefined;
  } catch (error) {
    if (error instanceof RpcRefusal) return error.message;
    throw error;
  }
}

const HASH = /^0x[0-9a-fA-F]{64}$/;

export async function stateOf(
  node: EthereumNode,
  confirmations: Confirmations,
  txHash: string,
): Promise<TransactionState> {
  if (!HASH.test(txHash)) return { status: 'unknown' };
  const receipt = await node.receipt(txHash);
  if (!receipt) {
    const transaction = await node.transaction(txHash);
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
  const head = await headOf(node);
  return height <= (await finalHeight(node, confirmations, head.height));
}
