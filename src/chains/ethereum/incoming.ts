import {
  ChainReset,
  ChainUnreachable,
  type Cursor,
  type IncomingPage,
  type IncomingTransfer,
} from '../port.ts';
import { type Confirmations, finalHeight, headBlock } from './finality.ts';
import type { Block, EthereumNode, FullBlock } from './node.ts';

/**
 * Reads block by block and checks that each follows the one before. When the cursor's block is gone but the chain is
 * the same, the chain was reorganised or the node lost its last blocks: a window before the cursor is read again.
 */
const BLOCKS_PER_STEP = 200;
const BLOCKS_AT_ONCE = 8;

interface BlockRef {
  height: number;
  hash: string;
}
interface ReadBlock extends BlockRef {
  parentHash: string;
  at: number;
  payments: FullBlock['transactions'];
}

export interface ReadPolicy {
  confirmations: Confirmations;
  /** Number of blocks before the cursor that are read again. A chain that ends before them is another chain. */
  reorgWindow: number;
}

export async function readIncoming(
  node: EthereumNode,
  { confirmations, reorgWindow }: ReadPolicy,
  cursor: Cursor | null,
  accounts: ReadonlySet<string>,
): Promise<IncomingPage> {
  const head = await headBlock(node);
  const headHeight = Number(head.number);
  if (!cursor) {
    const here = { height: headHeight, hash: head.hash, genesis: await genesisHash(node) };
    return { transfers: [], cursor: here, caughtUp: true };
  }
  const final = await finalHeight(node, confirmations, headHeight);
  let last = await startOfReading(node, cursor, headHeight, reorgWindow);
  const end = Math.min(headHeight, last.height + BLOCKS_PER_STEP);
  const transfers: IncomingTransfer[] = [];
  while (last.height < end) {
    const upTo = Math.min(end, last.height + BLOCKS_AT_ONCE);
    const heights = Array.from({ length: upTo - last.height }, (_, i) => last.height + 1 + i);
    for (const block of await Promise.all(heights.map(height => readBlock(node, height, accounts)))) {
      if (block.parentHash !== last.hash) throw new ChainUnreachable('the chain moved while it was read');
      transfers.push(...(await transfersOf(node, block, final)));
      last = block;
    }
  }
  const { height, hash } = last;
  return { transfers, cursor: { height, hash, genesis: cursor.genesis }, caughtUp: height === headHeight };
}

export async function genesisHash(node: EthereumNode): Promise<string> {
  const block = await node.block(0);
  if (!block) throw new ChainUnreachable('the node has no first block');
  return block.hash;
}

/** The last block that needs no reading: the cursor's, or an earlier one after a reorganisation. */
async function startOfReading(
  node: EthereumNode,
  cursor: Cursor,
  headHeight: number,
  window: number,
): Promise<BlockRef> {
  const block = cursor.height <= headHeight ? await node.block(cursor.height) : null;
  if (block?.hash === cursor.hash) return cursor;
  if ((await genesisHash(node)) !== cursor.genesis) throw new ChainReset('the chain has another first block');
  const height = Math.max(cursor.height - window, 0);
  if (height > headHeight)
    throw new ChainReset(`the chain ends at block ${headHeight}, far before block ${cursor.height}`);
  return blockRefOf(await requireBlock(node.block(height), height));
}

async function readBlock(
  node: EthereumNode,
  height: number,
  accounts: ReadonlySet<string>,
): Promise<ReadBlock> {
  const block = await requireBlock(node.fullBlock(height), height);
  const payments = block.transactions.filter(
    transaction => accounts.has(transaction.to?.toLowerCase() ?? '') && BigInt(transaction.value) > 0n,
  );
  return { ...blockRefOf(block), parentHash: block.parentHash, at: Number(block.timestamp) * 1000, payments };
}

/** A payment counts only with a successful receipt. A node may have the block before it has the receipt. */
async function transfersOf(node: EthereumNode, block: ReadBlock, final: number): Promise<IncomingTransfer[]> {
  const transfers: IncomingTransfer[] = [];
  for (const { hash, from, to, value } of block.payments) {
    const receipt = await node.receipt(hash);
    if (receipt?.blockHash !== block.hash) throw new ChainUnreachable(`no receipt of ${hash} yet`);
    if (receipt.status !== '0x1') continue;
    transfers.push({
      txHash: hash,
      index: 0,
      from: from.toLowerCase(),
      to: { account: (to ?? '').toLowerCase() },
      amount: BigInt(value),
      height: block.height,
      blockHash: block.hash,
      at: block.at,
      final: block.height <= final,
    });
  }
  return transfers;
}

async function requireBlock<T extends Block>(block: Promise<T | null>, height: number): Promise<T> {
  const found = await block;
  if (!found) throw new ChainUnreachable(`the node has no block ${height}`);
  return found;
}

const blockRefOf = (block: Block): BlockRef => ({ height: Number(block.number), hash: block.hash });
