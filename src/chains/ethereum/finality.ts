import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { ChainUnreachable, type Head } from '../port.ts';
import type { Block, EthereumNode } from './node.ts';

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
