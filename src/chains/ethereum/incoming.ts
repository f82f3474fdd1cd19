import { elapsedMs } from '../../kernel/clock.ts';
import type { Movement } from '../movement.ts';
import { OWN_FUNDING } from '../own-funding.ts';
import {
  type BlockRef,
  type Chain,
  ChainUnreachable,
  type Cursor,
  type Head,
  type IncomingTransfer,
} from '../port.ts';
import { type Confirmations, finalHeight, headBlock } from './finality.ts';
import { changeOf } from './gains.ts';
import type { EthereumNode, FullBlock } from './node.ts';
import { createPacer } from './pacer.ts';
import type { ReadBlocks } from './read-blocks.ts';
import { NotYet, requireBlock, requireReceipt } from './required.ts';
import { blockRefOf, genesisHash, startOfReading } from './start-of-reading.ts';

const BLOCKS_PER_STEP = 200;
/** A step at a slow node ends after this time, so that its blocks count. */
const STEP_MS = 10_000;

/** This far behind the head, a head that was seen shortly before is good enough. */
const FAR_BEHIND_BLOCKS = 16;
const HEAD_RECENT_MS = 10_000;
const isRefusal = (error: unknown): error is ChainUnreachable =>
  error instanceof ChainUnreachable && !(error instanceof NotYet);

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

/** Reads the blocks of one node. Whatever was read before the first failure counts. */
export interface BlockReader {
  /** As `Chain.incoming`. */
  incoming: Chain['incoming'];
  /** The newest block of the last reading. */
  readonly seenHead: Head | undefined;
  /** Milliseconds until the node can be asked again; 0: now. */
  waitMs(): number;
}

/**
 * Reads block by block and checks that each follows the one before. When the cursor's block is gone but the chain is
 * the same, the chain was reorganised or the node lost its last blocks: what follows the last common block is read again.
 */
export function blockReader(
  node: EthereumNode,
  readBlocks: ReadBlocks,
  { confirmations, reorgWindow, lowerHeadLastsMs }: ReadPolicy,
): BlockReader {
  const pacer = createPacer(isRefusal);
  const neverLags = lowerHeadLastsMs === 0;
  /** Blocks that were fetched but not yet read, because one before them failed. */
  const fetched = new Map<number, FullBlock>();
  let genesis: string | undefined;
  let seenHead: Head | undefined;
  let headSeenAt = Number.NEGATIVE_INFINITY;
  let lowerSince: number | undefined;

  const incoming: Chain['incoming'] = async (cursor, accounts, stored = () => []) => {
    pacer.requireReady();
    if (cursor) {
      forgetOtherChain(cursor);
      readBlocks.continueAfter(cursor, stored);
    }
    const before = headSeenAt;
    const head = await currentHead(cursor);
    const isFresh = headSeenAt !== before;
    if (!cursor) {
      const genesis = await counted(genesisHash(node));
      const { height, hash } = head;
      return { transfers: [], read: [{ height, hash }], cursor: { height, hash, genesis }, caughtUp: true };
    }
    const isAtHead = head.hash === cursor.hash && head.height === cursor.height;
    if (isAtHead || isLagging(cursor, head)) {
      fetched.clear();
      return { transfers: [], read: [], cursor, caughtUp: true, isAll: isAtHead && neverLags };
    }
    const { last, ...read } = await readAfter(cursor, head.height, accounts);
    const caughtUp = isFresh && last.height === head.height;
    return {
      ...read,
      cursor: { height: last.height, hash: last.hash, genesis: cursor.genesis },
      caughtUp,
      isAll: caughtUp && neverLags,
    };
  };

  function isLagging(cursor: Cursor, head: Head): boolean {
    const isLower = head.height < cursor.height && readBlocks.has(head);
    lowerSince = isLower ? (lowerSince ?? elapsedMs()) : undefined;
    return lowerSince !== undefined && elapsedMs() - lowerSince < lowerHeadLastsMs;
  }

  /** After a start over, blocks and head of the former chain are worth nothing. */
  function forgetOtherChain(cursor: Cursor): void {
    if (genesis !== undefined && genesis !== cursor.genesis) {
      fetched.clear();
      headSeenAt = Number.NEGATIVE_INFINITY;
    }
    genesis = cursor.genesis;
  }

  async function currentHead(cursor: Cursor | null): Promise<Head> {
    const isRecent = elapsedMs() - headSeenAt < HEAD_RECENT_MS;
    if (seenHead && isRecent && cursor && cursor.height + FAR_BEHIND_BLOCKS < seenHead.height)
      return seenHead;
    const block = await counted(requireBlock(node.fullBlock('latest'), 'latest'));
    seenHead = { ...blockRefOf(block), at: Number(block.timestamp) * 1000 };
    headSeenAt = elapsedMs();
    fetched.set(seenHead.height, block);
    return seenHead;
  }

  async function readAfter(cursor: Cursor, headHeight: number, accounts: ReadonlySet<string>) {
    const final = await counted(finalHeight(node, confirmations, headHeight));
    const endAt = elapsedMs() + STEP_MS;
    let first: BlockRef = cursor;
    let blocks = await blocksAfter(first, headHeight, endAt);
    if (blocks[0]?.parentHash !== first.hash) {
      first = await counted(startOfReading(node, cursor, headHeight, reorgWindow, readBlocks));
      fetched.clear();
      if (first !== cursor) {
        readBlocks.goBackTo(first);
        blocks = await blocksAfter(first, headHeight, endAt);
      }
    }
    const found = await pacer.inOrder(blocks.length, endAt, index =>
      readBlock(blocks[index]!, blocks[index - 1] ?? first, accounts, final),
    );
    const read = blocks.slice(0, found.length).map(blockRefOf);
    for (const block of read) {
      fetched.delete(block.height);
      readBlocks.add(block);
    }
    const last = read.at(-1) ?? first;
    const transfers = found.flatMap(each => each.transfers);
    const movements = found.flatMap(each => each.movements);
    return {
      last,
      transfers,
      movements,
      read,
      ...(first === cursor ? {} : { rereadFrom: first.height }),
    };
  }

  async function readBlock(
    block: FullBlock,
    before: Pick<BlockRef, 'hash'>,
    accounts: ReadonlySet<string>,
    final: number,
  ): Promise<Found> {
    try {
      if (block.parentHash !== before.hash) throw new NotYet('the chain moved while it was read');
      return await readTransactions(node, block, accounts, final);
    } catch (error) {
      if (error instanceof NotYet) fetched.clear();
      throw error;
    }
  }

  /** Blocks that are there are read before others are fetched: the next attempt begins with the call that failed. */
  async function blocksAfter({ height }: BlockRef, headHeight: number, endAt: number): Promise<FullBlock[]> {
    const present: FullBlock[] = [];
    for (let next = fetched.get(height + 1); next; next = fetched.get(Number(next.number) + 1))
      present.push(next);
    if (present.length > 0) return present;
    return pacer.inOrder(Math.min(headHeight - height, BLOCKS_PER_STEP), endAt, index =>
      fetch(height + 1 + index),
    );
  }

  async function fetch(height: number): Promise<FullBlock> {
    const block = fetched.get(height) ?? (await requireBlock(node.fullBlock(height), height));
    fetched.set(height, block);
    return block;
  }

  const counted = <T>(call: Promise<T>): Promise<T> =>
    call.catch(error => {
      pacer.failed(error);
      throw error;
    });

  return {
    incoming,
    waitMs: pacer.waitMs,
    get seenHead() {
      return seenHead;
    },
  };
}

/** A chain up to this length is read from its first block. */
const SHORT_CHAIN_BLOCKS = 1_000;

export async function beginning(node: EthereumNode): Promise<Cursor> {
  const genesis = await genesisHash(node);
  const head = blockRefOf(await headBlock(node));
  return head.height > SHORT_CHAIN_BLOCKS ? { ...head, genesis } : { height: 0, hash: genesis, genesis };
}

interface Found {
  transfers: IncomingTransfer[];
  movements: Movement[];
}

/** The plain payments of a block. A payment counts only with a successful receipt. */
async function readTransactions(
  node: EthereumNode,
  block: FullBlock,
  accounts: ReadonlySet<string>,
  final: number,
): Promise<Found> {
  const { height, hash: blockHash } = blockRefOf(block);
  const transfers: IncomingTransfer[] = [];
  const movements: Movement[] = [];
  for (const transaction of block.transactions) {
    const from = transaction.from.toLowerCase();
    const to = transaction.to?.toLowerCase() ?? '';
    const amount = BigInt(transaction.value);
    const parties = [...new Set([from, ...(amount > 0n ? [to] : [])])].filter(each => accounts.has(each));
    if (parties.length === 0) continue;
    const { hash: txHash } = transaction;
    const receipt = await requireReceipt(node, transaction, blockHash);
    for (const account of parties)
      movements.push({ txHash, account, height, amount: changeOf(account, transaction, receipt) });
    if (receipt.status !== '0x1' || !parties.includes(to) || amount === 0n) continue;
    if (transaction.input === OWN_FUNDING) continue;
    const at = Number(block.timestamp) * 1000;
    const isFinal = height <= final;
    const paid = { txHash, index: 0, from, to: { account: to }, amount };
    transfers.push({ ...paid, height, blockHash, at, final: isFinal });
  }
  return { transfers, movements };
}
