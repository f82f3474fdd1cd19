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
 * Reads block by block, each checked to follow the one before. When the cursor's block is gone but the chain is the
 * same, it was reorganised or the node lost its last blocks: a window before the cursor is read again.
 */
const BLOCKS_PER_STEP = 200;
const BLOCKS_AT_ONCE = 8;

interface Place {
  height: number;
  hash: string;
}
interface ReadBlock extends Place {
  parentHash: string;
  at: number;
  payments: FullBlock['transactions'];
}

export interface ScanPolicy {
  confirmations: Confirmations;
  /** Blocks before the cursor that are read again; a chain that ends before them is another one. */
  reorgWindow: number;
}

export async function scan(
  node: EthereumNode,
  { confirmations, reorgWindow }: ScanPolicy,
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
  let place = await foothold(node, cursor, headHeight, reorgWindow);
  const end = Math.min(headHeight, place.height + BLOCKS_PER_STEP);
  const transfers: IncomingTransfer[] = [];
  while (place.height < end) {
    const upTo = Math.min(end, place.height + BLOCKS_AT_ONCE);
    const heights = Array.from({ length: upTo - place.height }, (_, i) => place.height + 1 + i);
    for (const block of await Promise.all(heights.map(height => readBlock(node, height, accounts)))) {
      if (block.parentHash !== place.hash) throw new ChainUnreachable('the chain moved while it was read');
      transfers.push(...(await transfersOf(node, block, final)));
      place = block;
    }
  }
  const { height, hash } = place;
  return { transfers, cursor: { height, hash, genesis: cursor.genesis }, caughtUp: height === headHeight };
}

export async function genesisHash(node: EthereumNode): Promise<string> {
  const block = await node.block(0);
  if (!block) throw new ChainUnreachable('the node has no first block');
  return block.hash;
}

/** The block from which reading goes on: the cursor's, or one before it. */
async function foothold(
  node: EthereumNode,
  cursor: Cursor,
  headHeight: number,
  window: number,
): Promise<Place> {
  const block = cursor.height <= headHeight ? await node.block(cursor.height) : null;
  if (block?.hash === cursor.hash) return cursor;
  if ((await genesisHash(node)) !== cursor.genesis) throw new ChainReset('the chain has another first block');
  const height = Math.max(cursor.height - window, 0);
  if (height > headHeight)
    throw new ChainReset(`the chain ends at block ${headHeight}, far before block ${cursor.height}`);
  return placeOf(await existing(node.block(height), height));
}

async function readBlock(
  node: EthereumNode,
  height: number,
  accounts: ReadonlySet<string>,
): Promise<ReadBlock> {
  const block = await existing(node.fullBlock(height), height);
  const payments = block.transactions.filter(
    transaction => accounts.has(transaction.to?.toLowerCase() ?? '') && BigInt(transaction.value) > 0n,
  );
  return { ...placeOf(block), parentHash: block.parentHash, at: Number(block.timestamp) * 1000, payments };
}

/** A payment counts only when its receipt says that it succeeded; a node may know the block before the receipt. */
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

async function existing<T extends Block>(block: Promise<T | null>, height: number): Promise<T> {
  const found = await block;
  if (!found) throw new ChainUnreachable(`the node has no block ${height}`);
  return found;
}

const placeOf = (block: Block): Place => ({ height: Number(block.number), hash: block.hash });
