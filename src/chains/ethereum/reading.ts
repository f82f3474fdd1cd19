import { elapsedMs } from '../../kernel/clock.ts';
import { ChainUnreachable, type Cursor, type Head } from '../port.ts';
import { type Confirmations, headFrom, NotYet, requireBlock } from './blocks.ts';
import type { EthereumNode, FullBlock } from './node.ts';
import { createPacer } from './pacer.ts';
import type { ReadBlocks } from './read-blocks.ts';

export interface ReadPolicy {
  confirmations: Confirmations;
  /**
   * Number of blocks before the cursor that are read again when the last common block is not remembered. A chain that
   * ends before them is another chain.
   */
  reorgWindow: number;
  /**
   * A head before the cursor that was read: one address may lead to several nodes, and one of them may lag, so the chain
   * counts as moved back only when this lasts. 0: there is one node, which never lags.
   */
  lowerHeadLastsMs: number;
}

const isRefusal = (error: unknown): error is ChainUnreachable =>
  error instanceof ChainUnreachable && !(error instanceof NotYet);

/** What is known of one node from one reading of its blocks to the next. `readBlocks`: of the chain, its nodes share them. */
export const newReading = (node: EthereumNode, readBlocks: ReadBlocks, policy: ReadPolicy) => ({
  node,
  policy,
  pacer: createPacer(isRefusal),
  readBlocks,
  /** Blocks that were fetched but not yet read, because one before them failed. */
  fetched: new Map<number, FullBlock>(),
  genesis: undefined as string | undefined,
  seenHead: undefined as Head | undefined,
  /** Monotonic milliseconds. */
  headSeenAt: Number.NEGATIVE_INFINITY,
  /** Since when the head is before the cursor, as monotonic milliseconds. */
  lowerSince: undefined as number | undefined,
});
export type Reading = ReturnType<typeof newReading>;

/** After a start over, blocks and head of the former chain are worth nothing. */
export function forgetOtherChain(reading: Reading, { genesis }: Cursor): void {
  if (reading.genesis !== undefined && reading.genesis !== genesis) {
    reading.fetched.clear();
    reading.headSeenAt = Number.NEGATIVE_INFINITY;
  }
  reading.genesis = genesis;
}

/** This far behind the head, a head that was seen shortly before is good enough. */
const FAR_BEHIND_BLOCKS = 16;
const HEAD_RECENT_MS = 10_000;

/** `isFresh`: the node was asked for it now. */
export async function headFor(reading: Reading, cursor: Cursor | null): Promise<{ head: Head; isFresh: boolean }> {
  const { seenHead, node, pacer, fetched } = reading;
  const isRecent = elapsedMs() - reading.headSeenAt < HEAD_RECENT_MS;
  if (seenHead && isRecent && cursor && cursor.height + FAR_BEHIND_BLOCKS < seenHead.height)
    return { head: seenHead, isFresh: false };
  const block = await pacer.counted(requireBlock(node.fullBlock('latest'), 'latest'));
  const head = headFrom(block);
  reading.seenHead = head;
  reading.headSeenAt = elapsedMs();
  fetched.set(head.height, block);
  return { head, isFresh: true };
}

/** The head is a block before the cursor, and not for long enough to be a chain that moved back. */
export function isLagging(reading: Reading, cursor: Cursor, head: Head): boolean {
  const isLower = head.height < cursor.height && reading.readBlocks.has(head);
  reading.lowerSince = isLower ? (reading.lowerSince ?? elapsedMs()) : undefined;
  return reading.lowerSince !== undefined && elapsedMs() - reading.lowerSince < reading.policy.lowerHeadLastsMs;
}
