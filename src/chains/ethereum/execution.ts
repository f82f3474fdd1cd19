import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { Execution } from '../port.ts';
import { type BlockTransaction, type EthereumNode, hex, type Receipt } from './node.ts';
import { traceTransaction } from './trace.ts';

/** How a transaction ended. No receipt says why one failed, so the node is asked only then. */
export async function executionOf(node: EthereumNode, txHash: string, receipt: Receipt): Promise<Execution> {
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
async function replayedFailure(
  node: EthereumNode,
  txHash: string,
  { blockNumber }: Receipt,
): Promise<string | undefined> {
  const transaction = await node.call<BlockTransaction | null>('eth_getTransactionByHash', txHash);
  if (!transaction) return undefined;
  const { from, to, value, gas, input } = transaction;
  const call = { from, ...(to === null ? {} : { to }), value, gas, input };
  try {
    await node.ask('eth_call', call, hex(Number(blockNumber) - 1));
    return undefined;
  } catch (error) {
    if (error instanceof RpcRefusal) return error.message;
    throw error;
  }
}
