import { ChainUnreachable } from '../port.ts';
import type { Block, BlockTransaction, EthereumNode, FullBlock, Receipt } from './node.ts';

const NOT_YET_RETRY_MS = 500;

/** The node answered, but lacks something that it must have soon. */
export class NotYet extends ChainUnreachable {
  constructor(message: string) {
    super(message, { retryAfterMs: NOT_YET_RETRY_MS });
  }
}

export async function requireBlock<T extends Block>(
  block: Promise<T | null>,
  name: number | string,
): Promise<T> {
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
