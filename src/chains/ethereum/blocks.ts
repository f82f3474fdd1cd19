import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type BlockRef, ChainReset, ChainUnreachable, type Cursor, type Head } from '../port.ts';
import type { Block, BlockTransaction, EthereumNode, FullBlock, Receipt } from './node.ts';
import type { ReadBlocks } from './read-blocks.ts';

const NOT_YET_RETRY_MS = 500;

/** The node answered, but lacks something that it must have soon. */
export class NotYet extends ChainUnreachable {
  constructor(message: string) {
    super(message, { retryAfterMs: NOT_YET_RETRY_MS });
  }
}

export async function requireBlock<T extends Block>(block: Promise<T | null>, name: number | string): Promise<T> {
  const found = await block;
  if (!found) throw new NotYet(`the node has no block ${name}`);
  // Some nodes answer an empty list before they have the block's body.
  const { transactions } = found as Partial<FullBlock>;
  if (transactions?.length === 0 && BigInt(found.gasUsed) > 0n)
    throw new NotYet(`the node has no transactions of block ${name} yet`);
  return found;
}

/** A node may have the block before it has the receipt. */
export async function requireReceipt(
  node: EthereumNode,
  { hash }: Pick<BlockTransaction, 'hash'>,
  blockHash: string,
): Promise<Receipt> {
  const receipt = await node.receipt(hash);
  if (receipt?.blockHash !== blockHash) throw new NotYet(`no receipt of ${hash} yet`);
  return receipt;
}

/** When a block is final: a number of confirmations (1: as soon as it exists), or a block tag of the node. */
export type Confirmations = number | 'safe' | 'finalized';

/** As shown to people. */
export const finalityText = (policy: Confirmations): string =>
  typeof policy === 'string' ? `block tag ${policy}` : `${policy} confirmation${policy === 1 ? '' : 's'}`;

/** Blocks up to this height are final; -1: none yet. */
export async function finalHeight(node: EthereumNode, policy: Confirmations, head: number): Promise<number> {
  if (typeof policy === 'number') return head - Math.max(policy, 1) + 1;
  const block = await node.block(policy).catch(noneYet);
  return block ? Number(block.number) : -1;
}

/** Nodes say so with null or with an error: those of a young chain, and each one shortly after its start. */
function noneYet(error: unknown): null {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof RpcRefusal && /block not found|unknown block/i.test(cause.message)) return null;
  throw error;
}

export async function headBlock(node: EthereumNode): Promise<Block> {
  const block = await node.block('latest');
  if (!block) throw new ChainUnreachable('the node has no newest block');
  return block;
}

export const headFrom = (block: Block): Head => ({
  height: Number(block.number),
  hash: block.hash,
  at: Number(block.timestamp) * 1000,
});

export const headOf = async (node: EthereumNode): Promise<Head> => headFrom(await headBlock(node));

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
