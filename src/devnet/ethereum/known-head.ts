import { type JsonRpc, type PassCall, RpcRefusal } from '../../kernel/json-rpc.ts';
import { isReading } from './methods.ts';

/**
 * The newest block, without a call while nothing can have changed it. A node without a block time makes blocks only for
 * calls, and every call passes through this process: nobody else has the node's address.
 */
export interface KnownHead {
  /** The newest block at the time of this call, or a later one. Throws as `JsonRpc`. */
  head(): Promise<HeadBlock>;
  pass: PassCall;
  /** Number of calls so far that may have changed the chain. */
  changes(): number;
  /** The node has ended or started. */
  forget(): void;
}
export interface HeadBlock {
  height: number;
  hash: string;
  /** Epoch milliseconds. */
  at: number;
}

/** `minesAlone`: the node makes blocks without calls, so it is always asked. */
export function knownHead(ask: JsonRpc['call'], minesAlone: boolean): KnownHead {
  /** Calls that may have changed the chain, and how many of them run. */
  let changes = 0;
  let running = 0;
  /** A call had no answer: the node may still act on it. */
  let isUnclear = minesAlone;
  let changesBefore = 0;
  let quietHead: { head: HeadBlock; changes: number } | undefined;

  /** A waiting transaction may get into a block at any time. Its block is there before the pool is empty. */
  async function learn(): Promise<void> {
    const before = changes;
    if (isUnclear || running > 0) return;
    const { pending, queued } = await ask<{ pending: string; queued: string }>('txpool_status');
    if (Number(pending) + Number(queued) > 0) return;
    const head = await newestBlock(ask);
    if (changes === before) quietHead = { head, changes };
  }

  return {
    async head() {
      if (quietHead?.changes === changes) return quietHead.head;
      const isQuiet = changesBefore === changes;
      changesBefore = changes;
      const head = await newestBlock(ask);
      if (isQuiet) learn().catch(() => {});
      return head;
    },
    async pass(method, call) {
      if (isReading(method)) return call();
      changes += 1;
      running += 1;
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof RpcRefusal)) isUnclear = true;
        throw error;
      } finally {
        running -= 1;
      }
    },
    changes: () => changes,
    forget() {
      changes += 1;
      isUnclear = minesAlone;
    },
  };
}

async function newestBlock(ask: JsonRpc['call']): Promise<HeadBlock> {
  const block = await ask<{ number: string; hash: string; timestamp: string }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  return { height: Number(block.number), hash: block.hash, at: Number(block.timestamp) * 1000 };
}
