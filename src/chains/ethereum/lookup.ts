import type { TransactionLookup, ValueTransfer } from '../port.ts';
import type { Confirmations } from './finality.ts';
import { gainOf } from './gains.ts';
import type { BlockTransaction, EthereumNode, FullBlock, Receipt } from './node.ts';
import { NotYet, requireBlock, requireReceipt } from './required.ts';
import { stateOf } from './state.ts';
import { traceTransaction, transfersOf } from './trace.ts';

/** A transaction with this much gas ran no code, so it paid nobody but its recipient. */
export const GAS_WITHOUT_CODE = 21_000;

/** As `Chain.lookup`. */
export async function lookup(
  node: EthereumNode,
  confirmations: Confirmations,
  txHash: string,
  account: string | undefined,
): Promise<TransactionLookup> {
  const state = await stateOf(node, confirmations, txHash);
  if (!('succeeded' in state)) return { state, transfers: [], isComplete: true };
  const block = await requireBlock(node.fullBlock(state.height), state.height);
  const transaction = block.transactions.find(({ hash }) => hash.toLowerCase() === txHash.toLowerCase());
  if (!transaction || block.hash !== state.blockHash)
    throw new NotYet('the chain moved while a transaction was read');
  const at = Number(block.timestamp) * 1000;
  if (!state.succeeded) return { state, at, transfers: [], isComplete: true };
  return { state, at, ...(await transfersIn(node, block, transaction, account)) };
}

/** D-26: by tracing where the node can, otherwise by the balance of `account`. The transaction succeeded. */
async function transfersIn(
  node: EthereumNode,
  block: FullBlock,
  transaction: BlockTransaction,
  account: string | undefined,
): Promise<{ transfers: ValueTransfer[]; isComplete: boolean }> {
  const plain = plainTransfers(transaction);
  if (ranNoCode(await requireReceipt(node, transaction, block.hash)))
    return { transfers: plain, isComplete: true };
  const root = await traceTransaction(node, transaction.hash);
  if (root) return { transfers: transfersOf(root), isComplete: true };
  const gain = account === undefined ? undefined : await gainOf(node, account, block);
  if (account === undefined || gain === undefined || gain <= 0n)
    return { transfers: plain, isComplete: false };
  const from = (transaction.to ?? transaction.from).toLowerCase();
  const inner = { index: null, from, to: { account }, amount: gain, via: 'contract' };
  return { transfers: [...plain, inner], isComplete: false };
}

export const ranNoCode = ({ gasUsed }: Receipt): boolean => Number(gasUsed) === GAS_WITHOUT_CODE;

function plainTransfers({ from, to, value }: BlockTransaction): ValueTransfer[] {
  const amount = BigInt(value);
  if (amount === 0n || to === null) return [];
  return [{ index: 0, from: from.toLowerCase(), to: { account: to.toLowerCase() }, amount }];
}
