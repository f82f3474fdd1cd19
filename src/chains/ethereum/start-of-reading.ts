import { type BlockRef, ChainReset, ChainUnreachable, type Cursor } from '../port.ts';
import { headOf } from './finality.ts';
import type { Block, EthereumNode } from './node.ts';
import type { ReadBlocks } from './read-blocks.ts';
import { requireBlock } from './required.ts';

export const blockRefOf = (block: Block): BlockRef => ({ height: Number(block.number), hash: block.hash });

export async function genesisHash(node: EthereumNode): Promise<string> {
  const block = await node.block(0);
  if (!block) throw new ChainUnreachable('the node has no first block');
  return block.hash;
}

/** A chain up to this length is read from its first block. */
const SHORT_CHAIN_BLOCKS = 1_000;

/** As `Chain.beginning`. */
export async function beginning(node: EthereumNode): Promise<Cursor> {
  const genesis = await genesisHash(node);
  const { height, hash } = await headOf(node);
  return height > SHORT_CHAIN_BLOCKS ? { height, hash, genesis } : { height: 0, hash: genesis, genesis };
}

/**
 * The last block that needs no reading: the cursor's. After a reorganisation the last common block, where it is
 * remembered, and otherwise the block `window` before the cursor. Throws `ChainReset` when the reorganisation is deeper than both.
 */
export async function startOfReading(
  node: EthereumNode,
  cursor: Cursor,
  headHeight: number,
  window: number,
  read: ReadBlocks,
): Promise<BlockRef> {
  const stands = async ({ height, hash }: BlockRef) =>
    height <= headHeight && (await requireBlock(node.block(height), height)).hash === hash;
  if (await stands(cursor)) return cursor;
  if ((await genesisHash(node)) !== cursor.genesis) throw new ChainReset('the chain has another first block');
  const remembered = read.before(cursor.height);
  const common = await lastStanding(remembered, stands);
  if (common) return common;
  const height = Math.max(cursor.height - window, 0);
  if (height > headHeight)
    throw new ChainReset(`the chain ends at block ${headHeight}, far before block ${cursor.height}`);
  if (height > 0 && remembered.length >= window)
    throw new ChainReset(`a reorganisation replaced more than ${remembered.length} blocks`);
  return blockRefOf(await requireBlock(node.block(height), height));
}

/** The first one that stands. Once one stands, all older ones do: the distance doubles, then halves. */
async function lastStanding(blocks: readonly BlockRef[], stands: (block: BlockRef) => Promise<boolean>) {
  let gone = -1;
  let standing = 0;
  while (standing < blocks.length && !(await stands(blocks[standing]!))) {
    gone = standing;
    if (standing === blocks.length - 1) return undefined;
    standing = Math.min(2 * standing + 1, blocks.length - 1);
  }
  while (standing - gone > 1) {
    const middle = Math.floor((gone + standing) / 2);
    if (await stands(blocks[middle]!)) standing = middle;
    else gone = middle;
  }
  return blocks[standing];
}

/** True: the node's chain holds exactly this block. */
export async function isInChain(node: EthereumNode, { height, hash }: BlockRef): Promise<boolean> {
  return (await node.block(height))?.hash === hash;
}
