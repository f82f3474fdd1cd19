import type { ValueTransfer } from '../port.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, hex, type Log, unlessRefused } from './node.ts';

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

const isTransfer = ({ address, topics }: Log): boolean =>
  address.toLowerCase() === SYSTEM_ADDRESS && topics[0] === TRANSFER;

/** D-25: the transfers of value in order of execution. Undefined: the rules of this block write no logs of them. */
export function loggedTransfers(
  block: FullBlock,
  transaction: BlockTransaction,
  logs: readonly Log[],
): ValueTransfer[] | undefined {
  const transfers = logs.filter(isTransfer);
  if (transfers.length === 0 && block.blockAccessListHash === undefined) return undefined;
  return transfers.map(({ topics, data }, index) => ({
    index,
    from: accountOf(topics[1]!),
    to: { account: accountOf(topics[2]!) },
    amount: BigInt(data),
    ...(index === 0 && hasOwnTransfer(transaction) ? {} : { via: 'contract' }),
  }));
}

/** The transaction's own value comes first. To itself an account moves nothing. */
const hasOwnTransfer = ({ from, to, value }: BlockTransaction): boolean =>
  BigInt(value) > 0n && from.toLowerCase() !== to?.toLowerCase();

const accountOf = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;

/** The same logs of a whole block. Undefined: as for one transaction, or the node refuses. */
export async function transferLogsOf(node: EthereumNode, block: FullBlock): Promise<Log[] | undefined> {
  const filter = { blockHash: block.hash, address: SYSTEM_ADDRESS, topics: [TRANSFER] };
  const logs = await unlessRefused(node.ask<Log[]>('eth_getLogs', filter));
  return logs?.length === 0 && block.blockAccessListHash === undefined ? undefined : logs;
}
