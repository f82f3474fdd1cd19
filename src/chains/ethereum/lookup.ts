import type { Sender, TransactionLookup, ValueTransfer } from '../port.ts';
import type { Confirmations } from './finality.ts';
import { gainOf } from './gains.ts';
import type { BlockTransaction, EthereumNode, FullBlock } from './node.ts';
import { NotYet, requireBlock, requireReceipt } from './required.ts';
import { stateOf } from './state.ts';
import { loggedTransfers, ranCode, traceTransaction, transfersOf } from './value-transfers.ts';

/** As `Chain.lookup`. */
export async function lookup(
  node: EthereumNode,
  confirmations: Confirmations,
  txHash: string,
  account: string | undefined,
): Promise<TransactionLookup> {
  const state = await stateOf(node, confirmations, txHash);
  if (state.status === 'pending') {
    const waiting = await node.transaction(txHash);
    return { state, transfers: [], ...(waiting ? { sender: senderOf(waiting) } : {}) };
  }
  if (!('succeeded' in state)) return { state, transfers: [] };
  const block = await requireBlock(node.fullBlock(state.height), state.height);
  const transaction = block.transactions.find(({ hash }) => hash.toLowerCase() === txHash.toLowerCase());
  if (!transaction || block.hash !== state.blockHash)
    throw new NotYet('the chain moved while a transaction was read');
  const at = Number(block.timestamp) * 1000;
  const transfers = state.succeeded ? await transfersIn(node, block, transaction, account) : [];
  return { state, at, transfers, sender: senderOf(transaction) };
}

const senderOf = ({ from, nonce }: BlockTransaction): Sender => ({
  account: from.toLowerCase(),
  sequence: Number(nonce),
});

/** D-26: by its logs, by tracing where the node can, otherwise by the balance of `account`. The transaction succeeded. */
async function transfersIn(
  node: EthereumNode,
  block: FullBlock,
  transaction: BlockTransaction,
  account: string | undefined,
): Promise<ValueTransfer[]> {
  const { logs } = await requireReceipt(node, transaction, block.hash);
  const logged = loggedTransfers(block, transaction, logs);
  if (logged) return logged;
  const plain = plainTransfers(transaction);
  if (!(await ranCode(node, transaction, block))) return plain;
  const root = await traceTransaction(node, transaction.hash);
  if (root) return transfersOf(root);
  const gain = account === undefined ? undefined : await gainOf(node, account, block);
  if (account === undefined || gain === undefined || gain <= 0n) return plain;
  const from = (transaction.to ?? transaction.from).toLowerCase();
  const inner = { index: null, from, to: { account }, amount: gain, via: 'contract' };
  return [...plain, inner];
}

function plainTransfers({ from, to, value }: BlockTransaction): ValueTransfer[] {
  const amount = BigInt(value);
  if (amount === 0n || to === undefined || to.toLowerCase() === from.toLowerCase()) return [];
  return [{ index: 0, from: from.toLowerCase(), to: { account: to.toLowerCase() }, amount }];
}
