import { type BlockTransaction, type EthereumNode, type FullBlock, hex } from './node.ts';
import { unlessRefused } from './unless-refused.ts';

/** True: the transaction created a contract or called one, so it may have paid more than its own value. */
export async function ranCode(
  node: EthereumNode,
  { to }: BlockTransaction,
  { number }: FullBlock,
): Promise<boolean> {
  if (to === undefined) return true;
  // A contract may have been destroyed in the block.
  const heights = [Number(number) - 1, Number(number)].filter(height => height >= 0).map(hex);
  const codes = await Promise.all(heights.map(at => codeAt(node, to, at)));
  if (codes.every(code => code !== undefined)) return codes.some(code => code !== '0x');
  return (await node.call<string>('eth_getCode', to, 'latest')) !== '0x';
}

/** Undefined: the node no longer has the state. */
const codeAt = (node: EthereumNode, account: string, block: string): Promise<string | undefined> =>
  unlessRefused(node.ask<string>('eth_getCode', account, block));
