import { elapsedMs } from '../../kernel/clock.ts';
import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type Movement, OWN_FUNDING, OWN_MONEY } from '../payments.ts';
import type { BlockRef, Cursor, IncomingPage, IncomingTransfer, StoredBlocks, ValueTransfer } from '../port.ts';
import {
  type BlockTransaction,
  type EthereumNode,
  type FullBlock,
  hex,
  type Log,
  type Receipt,
  unlessRefused,
} from './node.ts';
import {
  blockRefOf,
  finalHeight,
  forgetOtherChain,
  genesisHash,
  headFor,
  isLagging,
  NotYet,
  type Reading,
  requireBlock,
  requireReceipt,
  startOfReading,
} from './reading.ts';

const WEI_PER_GWEI = 1_000_000_000n;

/**
 * D-26: what a block brought to the account beyond plain transfers: its balance after the block less that before it,
 * less what came by plain transfers and withdrawals, plus what the account itself spent. Wei. Undefined: the node no
 * longer has the balances.
 */
export async function gainOf(node: EthereumNode, account: string, block: FullBlock): Promise<bigint | undefined> {
  const height = Number(block.number);
  const before = await balanceAt(node, account, height - 1);
  const after = await balanceAt(node, account, height);
  if (before === undefined || after === undefined) return undefined;
  let gain = after - before - withdrawn(account, block);
  for (const transaction of block.transactions) {
    const { from, to } = transaction;
    if (from.toLowerCase() === account || to?.toLowerCase() === account)
      gain -= changeOf(account, transaction, await requireReceipt(node, transaction, block.hash));
  }
  return gain;
}

/** The change of the account's balance by the transaction itself, without the calls inside it. */
function changeOf(account: string, { from, to, value, gasPrice = '0x0' }: BlockTransaction, receipt: Receipt): bigint {
  const moved = receipt.status === '0x1' ? BigInt(value) : 0n;
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? gasPrice);
  const income = to?.toLowerCase() === account ? moved : 0n;
  return from.toLowerCase() === account ? income - moved - fee : income;
}

const withdrawn = (account: string, { withdrawals = [] }: FullBlock): bigint =>
  withdrawals
    .filter(({ address }) => address.toLowerCase() === account)
    .reduce((sum, { amount }) => sum + BigInt(amount) * WEI_PER_GWEI, 0n);

async function balanceAt(node: EthereumNode, account: string, height: number): Promise<bigint | undefined> {
  try {
    return BigInt(await node.ask<string>('eth_getBalance', account, hex(height)));
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined;
    throw error;
  }
}

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

/** A call of the tracer `callTracer`, with the calls that it made. */
export interface CallFrame {
  type: string;
  from: string;
  to?: string;
  value?: string;
  /** The call was reverted, with all calls inside it. */
  error?: string;
  /** The text with which a contract reverted. */
  revertReason?: string;
  calls?: CallFrame[];
}

/** The types of calls that move value. A DELEGATECALL repeats the value of its caller and moves nothing. */
const MOVES_VALUE = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);
const TRACER = { tracer: 'callTracer' };

/**
 * The root call of a transaction in a block. Undefined: this node does not trace, or no longer has the state. Throws
 * `ChainUnreachable` only for a node that limits calls or does not answer.
 */
export async function traceTransaction(node: EthereumNode, txHash: string): Promise<CallFrame | undefined> {
  const frame = await unlessRefused(node.ask<Partial<CallFrame>>('debug_traceTransaction', txHash, TRACER));
  return frame?.type === undefined ? undefined : (frame as CallFrame);
}

/** The root call of every transaction of a block, in order. Undefined: as for one transaction. */
export async function traceBlock(node: EthereumNode, blockHash: string): Promise<CallFrame[] | undefined> {
  const traced = await unlessRefused(node.ask<{ result?: CallFrame }[]>('debug_traceBlockByHash', blockHash, TRACER));
  const roots = traced?.map(({ result }) => result);
  return roots?.every(root => root?.type !== undefined) ? (roots as CallFrame[]) : undefined;
}

/** D-25: the transfers of value in order of execution. Calls that were reverted move nothing. */
export function transfersOf(root: CallFrame): ValueTransfer[] {
  const transfers: ValueTransfer[] = [];
  const visit = (frame: CallFrame) => {
    if (frame.error !== undefined) return;
    const amount = MOVES_VALUE.has(frame.type) ? BigInt(frame.value ?? '0x0') : 0n;
    // To itself an account moves nothing (EIP-7708).
    if (amount > 0n && frame.to !== undefined && frame.to.toLowerCase() !== frame.from.toLowerCase())
      transfers.push({
        index: transfers.length,
        from: frame.from.toLowerCase(),
        to: { account: frame.to.toLowerCase() },
        amount,
        ...(frame === root ? {} : { via: 'contract' }),
      });
    for (const call of frame.calls ?? []) visit(call);
  };
  visit(root);
  return transfers;
}

/** True: the transaction created a contract or called one, so it may have paid more than its own value. */
export async function ranCode(node: EthereumNode, { to }: BlockTransaction, { number }: FullBlock): Promise<boolean> {
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

/** EIP-7708: with Amsterdam rules each movement of ETH leaves a log of this address. No contract can write one. */
const SYSTEM_ADDRESS = '0xfffffffffffffffffffffffffffffffffffffffe';
/** Keccak of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** D-25: the transfers of value in order of execution. Undefined: the rules of this block write no logs of them. */
export function loggedTransfers(
  block: FullBlock,
  transaction: BlockTransaction,
  logs: readonly Log[],
): ValueTransfer[] | undefined {
  const { from, to, value } = transaction;
  const transfers = logs.filter(
    ({ address, topics }) => address.toLowerCase() === SYSTEM_ADDRESS && topics[0] === TRANSFER,
  );
  if (transfers.length === 0 && block.blockAccessListHash === undefined) return undefined;
  // The transaction's own value comes first. To itself an account moves nothing.
  const hasOwn = BigInt(value) > 0n && from.toLowerCase() !== to?.toLowerCase();
  return transfers.map(({ topics, data }, index) => ({
    index,
    from: accountOf(topics[1]!),
    to: { account: accountOf(topics[2]!) },
    amount: BigInt(data),
    ...(index === 0 && hasOwn ? meansOf(transaction) : { via: 'contract' }),
  }));
}

const accountOf = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;

/** The same logs of a whole block. Undefined: as for one transaction, or the node refuses. */
export async function transferLogsOf(node: EthereumNode, block: FullBlock): Promise<Log[] | undefined> {
  const filter = { blockHash: block.hash, address: SYSTEM_ADDRESS, topics: [TRANSFER] };
  const logs = await unlessRefused(node.ask<Log[]>('eth_getLogs', filter));
  return logs?.length === 0 && block.blockAccessListHash === undefined ? undefined : logs;
}

/** Of a plain payment. */
export const meansOf = ({ input }: BlockTransaction): { via?: string } =>
  input === OWN_FUNDING ? { via: OWN_MONEY } : {};

type BlockPayments = Awaited<ReturnType<typeof paymentsIn>>;

/** The plain payments of a block. A payment counts only with a successful receipt. Blocks up to `final` are final. */
async function paymentsIn(node: EthereumNode, block: FullBlock, accounts: ReadonlySet<string>, final: number) {
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
    const paid = { txHash, index: 0, from, to: { account: to }, amount, ...meansOf(transaction) };
    const at = Number(block.timestamp) * 1000;
    transfers.push({ ...paid, height, blockHash, at, final: height <= final });
  }
  return { transfers, movements };
}
