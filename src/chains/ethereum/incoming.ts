import { elapsedMs } from '../../kernel/clock.ts';
import {
  ChainUnreachable,
  type Cursor,
  type Head,
  type IncomingPage,
  type IncomingTransfer,
  type Movement,
} from '../port.ts';
import { type Confirmations, finalHeight, headBlock } from './finality.ts';
import { changeOf } from './gains.ts';
import type { EthereumNode, FullBlock } from './node.ts';
import { createPacer } from './pacer.ts';
import { NotYet, requireBlock, requireReceipt } from './required.ts';
import { type BlockRef, blockRefOf, genesisHash, startOfReading } from './start-of-reading.ts';

const BLOCKS_PER_STEP = 200;
const REMEMBERED_BLOCKS = 256;

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
}

/** Reads the blocks of one node. Whatever was read before the first failure counts. */
export interface BlockReader {
  /** As `Chain.incoming`. */
  incoming(cursor: Cursor | null, accounts: ReadonlySet<string>): Promise<IncomingPage>;
  /** The newest block of the last reading. */
  readonly seenHead: Head | undefined;
}

/**
 * Reads block by block and checks that each follows the one before. When the cursor's block is gone but the chain is
 * the same, the chain was reorganised or the node lost its last blocks: what follows the last common block is read again.
 */
export function blockReader(node: EthereumNode, { confirmations, reorgWindow }: ReadPolicy): BlockReader {
  const pacer = createPacer(isRefusal);
  /** Blocks that were fetched but not yet read, because one before them failed. */
  const fetched = new Map<number, FullBlock>();
  /** Hashes of the last blocks that were read: a lagging node repeats one of them as its head. */
  const readHashes = new Map<number, string>();
  let genesis: string | undefined;
  let seenHead: Head | undefined;
  let headSeenAt = Number.NEGATIVE_INFINITY;

  async function incoming(cursor: Cursor | null, accounts: ReadonlySet<string>): Promise<IncomingPage> {
    pacer.requireReady();
    if (cursor) forgetOtherChain(cursor);
    const before = headSeenAt;
    const head = await currentHead(cursor);
    const isFresh = headSeenAt !== before;
    if (!cursor) {
      const genesis = await counted(genesisHash(node));
      return { transfers: [], cursor: { height: head.height, hash: head.hash, genesis }, caughtUp: true };
    }
    const isLagging = head.height < cursor.height && readHashes.get(head.height) === head.hash;
    const isAtHead = head.hash === cursor.hash && head.height === cursor.height;
    if (isAtHead || isLagging) {
      fetched.clear();
      return { transfers: [], cursor, caughtUp: true };
    }
    const { last, ...read } = await readAfter(cursor, head.height, accounts);
    return {
      ...read,
      cursor: { height: last.height, hash: last.hash, genesis: cursor.genesis },
      caughtUp: isFresh && last.height === head.height,
    };
  }

  /** After a start over, blocks and head of the former chain are worth nothing. */
  function forgetOtherChain(cursor: Cursor): void {
    if (genesis !== undefined && genesis !== cursor.genesis) {
      fetched.clear();
      readHashes.clear();
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
    let first: BlockRef = cursor;
    let blocks = await fetchAfter(first, headHeight);
    if (blocks[0]?.parentHash !== first.hash) {
      first = await counted(startOfReading(node, cursor, headHeight, reorgWindow, readHashes));
      fetched.clear();
      if (first !== cursor) {
        forgetAfter(first);
        blocks = await fetchAfter(first, headHeight);
      }
    }
    const transfers: IncomingTransfer[] = [];
    const movements: Movement[] = [];
    let last = first;
    for (const block of blocks) {
      try {
        if (block.parentHash !== last.hash) throw new NotYet('the chain moved while it was read');
        const read = await readTransactions(node, block, accounts, final);
        transfers.push(...read.transfers);
        movements.push(...read.movements);
      } catch (error) {
        // After a refused call the fetched blocks stay, so that the next attempt begins with that call.
        if (error instanceof NotYet) fetched.clear();
        pacer.failed(error);
        if (last === first || !(error instanceof ChainUnreachable)) throw error;
        break;
      }
      last = blockRefOf(block);
      remember(last);
    }
    return { last, transfers, movements, ...(first === cursor ? {} : { rereadFrom: first.height }) };
  }

  const fetchAfter = ({ height }: BlockRef, headHeight: number): Promise<FullBlock[]> =>
    pacer.inOrder(Math.min(headHeight - height, BLOCKS_PER_STEP), index => fetch(height + 1 + index));

  async function fetch(height: number): Promise<FullBlock> {
    const block = fetched.get(height) ?? (await requireBlock(node.fullBlock(height), height));
    fetched.set(height, block);
    return block;
  }

  function remember({ height, hash }: BlockRef): void {
    fetched.delete(height);
    readHashes.set(height, hash);
    readHashes.delete(height - REMEMBERED_BLOCKS);
  }

  function forgetAfter({ height }: BlockRef): void {
    for (const each of readHashes.keys()) if (each > height) readHashes.delete(each);
  }

  const counted = <T>(call: Promise<T>): Promise<T> =>
    call.catch(error => {
      pacer.failed(error);
      throw error;
    });

  return {
    incoming,
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

/** The plain payments of a block. A payment counts only with a successful receipt. */
async function readTransactions(
  node: EthereumNode,
  block: FullBlock,
  accounts: ReadonlySet<string>,
  final: number,
): Promise<{ transfers: IncomingTransfer[]; movements: Movement[] }> {
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
    const at = Number(block.timestamp) * 1000;
    const isFinal = height <= final;
    const paid = { txHash, index: 0, from, to: { account: to }, amount };
    transfers.push({ ...paid, height, blockHash, at, final: isFinal });
  }
  return { transfers, movements };
}
