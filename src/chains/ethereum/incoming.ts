import { elapsedMs } from '../../kernel/clock.ts';
import type { BlockRef, Cursor, IncomingPage, StoredBlocks } from '../port.ts';
import { type BlockPayments, paymentsIn } from './block-payments.ts';
import { blockRefOf, finalHeight, genesisHash, NotYet, requireBlock, startOfReading } from './blocks.ts';
import type { FullBlock } from './node.ts';
import { forgetOtherChain, headFor, isLagging, type Reading } from './reading.ts';

const BLOCKS_PER_STEP = 200;
/** A step at a slow node ends after this time, so that its blocks count. */
const STEP_MS = 10_000;

/**
 * As `Chain.incoming`, by one node. Reads block by block and checks that each follows the one before. When the cursor's
 * block is gone but the chain is the same, the chain was reorganised or the node lost its last blocks: what follows the
 * last common block is read again. Whatever was read before the first failure counts.
 */
export async function readIncoming(
  reading: Reading,
  cursor: Cursor | null,
  accounts: ReadonlySet<string>,
  stored: StoredBlocks = () => [],
): Promise<IncomingPage> {
  const { pacer, readBlocks, fetched, policy } = reading;
  const neverLags = policy.lowerHeadLastsMs === 0;
  pacer.requireReady();
  if (!cursor) return beginAtHead(reading);
  forgetOtherChain(reading, cursor);
  readBlocks.continueAfter(cursor, stored);
  const { head, isFresh } = await headFor(reading, cursor);
  const isAtHead = head.hash === cursor.hash && head.height === cursor.height;
  if (isAtHead || isLagging(reading, cursor, head)) {
    fetched.clear();
    return { transfers: [], read: [], cursor, caughtUp: true, isAll: isAtHead && neverLags };
  }
  const page = await readAfter(reading, cursor, head.height, accounts);
  const caughtUp = isFresh && page.cursor.height === head.height;
  return { ...page, caughtUp, isAll: caughtUp && neverLags };
}

async function beginAtHead(reading: Reading): Promise<IncomingPage> {
  const { height, hash } = (await headFor(reading, null)).head;
  const genesis = await reading.pacer.counted(genesisHash(reading.node));
  return { transfers: [], read: [{ height, hash }], cursor: { height, hash, genesis }, caughtUp: true };
}

async function readAfter(
  reading: Reading,
  cursor: Cursor,
  headHeight: number,
  accounts: ReadonlySet<string>,
): Promise<Omit<IncomingPage, 'caughtUp'>> {
  const { node, policy, pacer, readBlocks, fetched } = reading;
  const final = await pacer.counted(finalHeight(node, policy.confirmations, headHeight));
  const endAt = elapsedMs() + STEP_MS;
  let first: BlockRef = cursor;
  let blocks = await blocksAfter(reading, first, headHeight, endAt);
  if (blocks[0]?.parentHash !== first.hash) {
    const start = startOfReading(node, cursor, headHeight, policy.reorgWindow, readBlocks);
    first = await pacer.counted(start);
    fetched.clear();
    if (first !== cursor) {
      readBlocks.goBackTo(first);
      blocks = await blocksAfter(reading, first, headHeight, endAt);
    }
  }
  const found = await pacer.inOrder(blocks.length, endAt, index =>
    readBlock(reading, blocks[index]!, blocks[index - 1] ?? first, accounts, final),
  );
  const read = blocks.slice(0, found.length).map(blockRefOf);
  for (const block of read) {
    fetched.delete(block.height);
    readBlocks.add(block);
  }
  const { height, hash } = read.at(-1) ?? first;
  return {
    transfers: found.flatMap(each => each.transfers),
    movements: found.flatMap(each => each.movements),
    read,
    cursor: { height, hash, genesis: cursor.genesis },
    ...(first === cursor ? {} : { rereadFrom: first.height }),
  };
}

async function readBlock(
  { node, fetched }: Reading,
  block: FullBlock,
  before: Pick<BlockRef, 'hash'>,
  accounts: ReadonlySet<string>,
  final: number,
): Promise<BlockPayments> {
  try {
    if (block.parentHash !== before.hash) throw new NotYet('the chain moved while it was read');
    return await paymentsIn(node, block, accounts, final);
  } catch (error) {
    if (error instanceof NotYet) fetched.clear();
    throw error;
  }
}

/** Blocks that are there are read before others are fetched: the next attempt begins with the call that failed. */
async function blocksAfter(
  { node, pacer, fetched }: Reading,
  { height }: BlockRef,
  headHeight: number,
  endAt: number,
): Promise<FullBlock[]> {
  const present: FullBlock[] = [];
  for (let next = fetched.get(height + 1); next; next = fetched.get(Number(next.number) + 1)) present.push(next);
  if (present.length > 0) return present;
  return pacer.inOrder(Math.min(headHeight - height, BLOCKS_PER_STEP), endAt, async index => {
    const next = height + 1 + index;
    const block = fetched.get(next) ?? (await requireBlock(node.fullBlock(next), next));
    fetched.set(next, block);
    return block;
  });
}
