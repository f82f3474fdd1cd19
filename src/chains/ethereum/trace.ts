import type { ValueTransfer } from '../port.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, hex, unlessRefused } from './node.ts';

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
  const traced = await unlessRefused(
    node.ask<{ result?: CallFrame }[]>('debug_traceBlockByHash', blockHash, TRACER),
  );
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
