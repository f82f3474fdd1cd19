import { hex } from './knobs.ts';

/** `eth_feeHistory` from the blocks themselves: the node's own list lacks those before its start, and some of the newest. */

type Ask = <T>(method: string, ...params: unknown[]) => Promise<T | undefined>;
interface Block {
  number: string;
  baseFeePerGas: string;
  gasLimit: string;
  gasUsed: string;
  transactions: string[];
}
interface Receipt {
  gasUsed: string;
  effectiveGasPrice: string;
}

/** Undefined: the node has no such block, or does not answer. */
export async function feeHistory(
  [count, newest, percentiles]: readonly unknown[],
  ask: Ask,
): Promise<object | undefined> {
  const blockAt = (which: unknown) => ask<Block | null>('eth_getBlockByNumber', which, false);
  const last = await blockAt(newest === 'pending' ? 'latest' : newest);
  if (!last) return undefined;
  const number = Number(last.number);
  const length = Math.trunc(Math.min(Number(count), number + 1));
  if (!(length > 0)) return undefined;
  const numbers = Array.from({ length }, (_, i) => number - length + 1 + i);
  const blocks = await Promise.all(numbers.map(each => blockAt(hex(each))));
  const next = (await blockAt(hex(number + 1))) ?? (await blockAt('pending'));
  if (!next || !blocks.every(block => !!block)) return undefined;
  const asked = Array.isArray(percentiles) ? (percentiles as number[]) : [];
  const reward = asked.length > 0 && (await Promise.all(blocks.map(block => rewardsOf(block, asked, ask))));
  return {
    oldestBlock: hex(numbers[0]!),
    baseFeePerGas: [...blocks, next].map(({ baseFeePerGas }) => baseFeePerGas),
    gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    ...(reward ? { reward } : {}),
  };
}

/** The tips of a block, by the share of its gas that paid at most that much. */
async function rewardsOf(block: Block, percentiles: readonly number[], ask: Ask): Promise<string[]> {
  const receipts =
    (block.transactions.length > 0 && (await ask<Receipt[]>('eth_getBlockReceipts', block.number))) || [];
  const paid = receipts
    .map(({ effectiveGasPrice, gasUsed }) => ({
      tip: BigInt(effectiveGasPrice) - BigInt(block.baseFeePerGas),
      gas: Number(gasUsed),
    }))
    .sort((one, other) => (one.tip < other.tip ? -1 : 1));
  return percentiles.map(percentile => {
    let left = (Number(block.gasUsed) * percentile) / 100;
    const found = paid.find(({ gas }) => {
      left -= gas;
      return left <= 0;
    });
    return hex(found?.tip ?? paid.at(-1)?.tip ?? 0n);
  });
}
