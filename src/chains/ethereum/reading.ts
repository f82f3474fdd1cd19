import { elapsedMs } from '../../kernel/clock.ts';
import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type BlockRef, ChainReset, ChainUnreachable, type Cursor, type Head } from '../port.ts';
import type { Block, BlockTransaction, EthereumNode, FullBlock, Receipt } from './node.ts';

interface ReadPolicy {
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

/** The failures that slow the calls down. */
const isRefusal = (error: unknown): error is ChainUnreachable =>
  error instanceof ChainUnreachable && !(error instanceof NotYet);

/** What is known of one node from one reading of its blocks to the next. `readBlocks`: of the chain, its nodes share them. */
export const newReading = (node: EthereumNode, readBlocks: ReadBlocks, policy: ReadPolicy) => ({
  node,
  policy,
  pacer: createPacer(),
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

const headFrom = (block: Block): Head => ({
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

const REMEMBERED_BLOCKS = 256;

/** The last blocks that were read, without gaps: a reorganisation is followed back to the newest one that stands. */
type ReadBlocks = ReturnType<typeof createReadBlocks>;

export function createReadBlocks() {
  const hashes = new Map<number, string>();
  const has = ({ height, hash }: BlockRef) => hashes.get(height) === hash;

  function add({ height, hash }: BlockRef): void {
    hashes.set(height, hash);
    hashes.delete(height - REMEMBERED_BLOCKS - 1);
  }

  return {
    /** Begins again with the stored blocks, unless this block is remembered. */
    continueAfter(cursor: BlockRef, stored: () => readonly BlockRef[]): void {
      if (has(cursor)) return;
      hashes.clear();
      for (const block of stored()) if (block.height < cursor.height) hashes.set(block.height, block.hash);
      add(cursor);
    },
    add,
    /** A reorganisation replaced every block after this one. */
    goBackTo(block: BlockRef): void {
      const isRemembered = has(block);
      for (const height of hashes.keys()) if (!isRemembered || height > block.height) hashes.delete(height);
      add(block);
    },
    /** True: exactly this block is remembered. */
    has,
    /** Newest first. */
    before(height: number): BlockRef[] {
      const blocks: BlockRef[] = [];
      for (let each = height - 1; hashes.has(each); each--) blocks.push({ height: each, hash: hashes.get(each)! });
      return blocks;
    },
  };
}

const FIRST_CONCURRENCY = 8;
const MAX_CONCURRENT = 16;
const FIRST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 2_000;

/**
 * Adapts to a node that limits calls: the number of calls at once halves after a failure and grows again with every
 * full round of successes. Keeps the wait that the node asks for.
 */
export function createPacer() {
  let concurrency = FIRST_CONCURRENCY;
  let successes = 0;
  let backOffMs = 0;
  let readyAt = 0;
  let reason = '';

  function failed(error: unknown): void {
    if (!isRefusal(error)) return;
    concurrency = Math.max(1, Math.floor(concurrency / 2));
    successes = 0;
    backOffMs = Math.min(LONGEST_BACK_OFF_MS, Math.max(FIRST_BACK_OFF_MS, backOffMs * 2));
    readyAt = elapsedMs() + (error.retryAfterMs ?? backOffMs);
    reason = error.message;
  }

  function succeeded(): void {
    backOffMs = 0;
    successes += 1;
    if (successes < concurrency) return;
    successes = 0;
    concurrency = Math.min(MAX_CONCURRENT, concurrency + 1);
  }

  /** Milliseconds until the wait after a failure is over; 0: it is. */
  const waitMs = (): number => Math.max(0, Math.ceil(readyAt - elapsedMs()));

  return {
    waitMs,
    /** A call outside of `inOrder`. Its failure counts, too. */
    counted: <T>(call: Promise<T>): Promise<T> =>
      call.catch(error => {
        failed(error);
        throw error;
      }),
    /** Throws `ChainUnreachable` until the wait after a failure is over. */
    requireReady(): void {
      const retryAfterMs = waitMs();
      if (retryAfterMs > 0) throw new ChainUnreachable(reason, { retryAfterMs });
    },
    /**
     * Runs `task` for 0…count-1, and begins none after `endAt`. Returns the results up to the first failure; throws that
     * failure when there are none.
     */
    async inOrder<T>(count: number, endAt: number, task: (index: number) => Promise<T>): Promise<T[]> {
      const results: T[] = [];
      const failures: { index: number; error: unknown }[] = [];
      let next = 0;
      const work = async () => {
        while (next < count && failures.length === 0 && (next === 0 || elapsedMs() < endAt)) {
          const index = next++;
          try {
            results[index] = await task(index);
            succeeded();
          } catch (error) {
            failures.push({ index, error });
          }
        }
      };
      await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
      const [failure] = failures.sort((one, other) => one.index - other.index);
      if (!failure) return results;
      failed(failure.error);
      if (failure.index === 0) throw failure.error;
      return results.slice(0, failure.index);
    },
  };
}
