import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { Execution, MissingNumbers, Sender, TransactionLookup, TransactionState, ValueTransfer } from '../port.ts';
import {
  type CallFrame,
  gainOf,
  loggedTransfers,
  meansOf,
  ranCode,
  traceTransaction,
  transfersOf,
} from './incoming.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, hex, type Receipt, unlessRefused } from './node.ts';
import { type Confirmations, finalHeight, headOf, NotYet, requireBlock, requireReceipt } from './reading.ts';

/**
 * How a transaction ended. No receipt says why one failed, so the node is asked only then. Throws `ChainUnreachable` where
 * its other answers say that the transaction has succeeded.
 */
async function executionOf(node: EthereumNode, txHash: string, receipt: Receipt): Promise<Execution> {
  if (receipt.status === '0x1') return { succeeded: true };
  const root = await traceTransaction(node, txHash);
  if (root ? root.error === undefined : await hasMoved(node, txHash, receipt))
    throw new NotYet(`the receipt of ${txHash} says that it failed, and other answers of the node say that it paid`);
  const failure =
    (root && textOf(root)) ??
    (await replayedFailure(node, txHash, receipt)) ??
    'it failed, and the node does not say why';
  return { succeeded: false, failure: failure.slice(0, MAX_CHARACTERS) };
}

/** Of a reason, which may be a text of the recipient's contract. */
const MAX_CHARACTERS = 200;

const textOf = ({ error, revertReason }: CallFrame): string | undefined =>
  revertReason === undefined ? error : `${error}: ${revertReason}`;

/** The sender has lost the amount in this block, as if the transaction had succeeded. */
async function hasMoved(node: EthereumNode, txHash: string, { blockNumber }: Receipt): Promise<boolean> {
  const height = Number(blockNumber);
  const block = await requireBlock(node.fullBlock(height), height);
  const transaction = block.transactions.find(({ hash }) => hash.toLowerCase() === txHash.toLowerCase());
  const amount = BigInt(transaction?.value ?? 0);
  if (!transaction || amount === 0n) return false;
  const gain = await gainOf(node, transaction.from.toLowerCase(), block);
  return gain !== undefined && gain <= -amount;
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
    return { state, transfers: [], ...(waiting ? await waitingOf(node, senderOf(waiting)) : {}) };
  }
  if (!('succeeded' in state)) return { state, transfers: [] };
  const block = await requireBlock(node.fullBlock(state.height), state.height);
  const transaction = block.transactions.find(({ hash }) => hash.toLowerCase() === txHash.toLowerCase());
  if (!transaction || block.hash !== state.blockHash) throw new NotYet('the chain moved while a transaction was read');
  const at = Number(block.timestamp) * 1000;
  const transfers = state.succeeded ? await transfersIn(node, block, transaction, account) : [];
  return { state, at, transfers, sender: senderOf(transaction) };
}

/** The transactions that the node has in order count up to the first number that it has not. */
async function waitingOf(node: EthereumNode, sender: Sender): Promise<Pick<TransactionLookup, 'missing' | 'sender'>> {
  const next = Number(await node.call<string>('eth_getTransactionCount', sender.account, 'pending'));
  return { sender, ...(next < sender.sequence ? { missing: await missingFrom(node, next, sender) } : {}) };
}

const NUMBERS_LOOKED_UP = 10;

/** `first` is missing. Not every node tells of the others. */
async function missingFrom(node: EthereumNode, first: number, { account, sequence }: Sender): Promise<MissingNumbers> {
  const numbers = [first];
  let at = first + 1;
  for (; at < Math.min(sequence, first + NUMBERS_LOOKED_UP); at++) {
    const waiting = await unlessRefused(
      node.ask<BlockTransaction | null>('eth_getTransactionBySenderAndNonce', account, hex(at)),
    );
    if (waiting === undefined) break;
    if (waiting === null) numbers.push(at);
  }
  return { numbers, ...(at < sequence ? { unknownFrom: at } : {}) };
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

function plainTransfers(transaction: BlockTransaction): ValueTransfer[] {
  const { from, to, value } = transaction;
  const amount = BigInt(value);
  if (amount === 0n || to === undefined || to.toLowerCase() === from.toLowerCase()) return [];
  return [{ index: 0, from: from.toLowerCase(), to: { account: to.toLowerCase() }, amount, ...meansOf(transaction) }];
}
