import { setTimeout as delay } from 'node:timers/promises';
import { type JsonRpc, RpcRefusal } from '../../kernel/json-rpc.ts';

/** What the node has taken and no block holds yet: `queued` waits for an earlier number of its account. */
type Pool = Record<'pending' | 'queued', Record<string, Record<string, { hash: string; to: string | null }>>>;
/** A signed transaction. */
export type Sent = { hash: string; raw: string };

const poolOf = (rpc: JsonRpc) => rpc.call<Pool>('txpool_content');
const sizesOf = (rpc: JsonRpc) => rpc.call<Record<keyof Pool, string>>('txpool_status');

type Waiting = Pool['queued'][string][string];

/** Of all accounts. */
export async function waiting(
  rpc: JsonRpc,
  parts: readonly (keyof Pool)[] = ['pending', 'queued'],
): Promise<Waiting[]> {
  const pool = await poolOf(rpc);
  return parts.flatMap(part => Object.values(pool[part]).flatMap(byNumber => Object.values(byNumber)));
}

interface Found {
  hash: string;
  from: string;
  nonce: string;
  blockNumber: string | null;
}
const find = (rpc: JsonRpc, hash: string) => rpc.call<Found | null>('eth_getTransactionByHash', hash);

/** The node has it, or what it needs is not there any more. */
export function ifRefused(error: unknown): void {
  if (!(error instanceof RpcRefusal)) throw error;
}
export const sendAgain = (rpc: JsonRpc, raw: string): Promise<void> =>
  rpc.call('eth_sendRawTransaction', raw).then(() => {}, ifRefused);

/**
 * Removes transactions from the node's pool, and sends again those that have to stay. The caller does one such thing at a
 * time: meanwhile the pool lacks some that the node has acknowledged.
 */
export function poolKeeper() {
  /** What was sent at the same time may be removed with the others. */
  let hasRemoved = false;

  /** Only all transactions of an account can be removed from the whole pool. They are sent again, but for `dropped`. */
  async function sendAllAgain(rpc: JsonRpc, account: string, dropped?: string): Promise<void> {
    const { pending, queued } = await poolOf(rpc);
    const hashes = Object.values({ ...pending[account], ...queued[account] }).map(({ hash }) => hash);
    const kept = hashes.filter(hash => hash !== dropped);
    const raws = await Promise.all(kept.map(hash => rpc.call<string>('eth_getRawTransactionByHash', hash)));
    hasRemoved = true;
    await rpc.call('anvil_removePoolTransactions', account);
    for (const raw of raws) await sendAgain(rpc, raw);
  }

  return {
    /**
     * The head has moved back, so a block no longer holds what some of the waiting transactions follow. The node would try
     * them in its next block, and lose them. Sent again, they wait for their numbers.
     */
    async waitAgain(rpc: JsonRpc): Promise<void> {
      for (const account of Object.keys((await poolOf(rpc)).pending)) await sendAllAgain(rpc, account);
    },
    /**
     * Removes a waiting transaction. Those of its account that follow wait for its number. False: none with that hash waits.
     * The node's own `anvil_dropTransaction` forgets the others, too, and knows none that is queued.
     */
    async drop(rpc: JsonRpc, hash: string): Promise<boolean> {
      const found = await find(rpc, hash);
      if (!found || found.blockNumber !== null) return false;
      await sendAllAgain(rpc, found.from, found.hash);
      return (await find(rpc, hash)) === null;
    },
    /**
     * The node reads the number of an account before it puts a transaction into its pool. Where it makes a block between
     * the two, the transaction waits for ever for one that is mined already, and those that follow wait for it.
     */
    async ensureTaken(rpc: JsonRpc, { hash, raw }: Sent): Promise<void> {
      const queued = Number((await sizesOf(rpc)).queued);
      if (queued === 0 && !hasRemoved) return;
      const found = await find(rpc, hash);
      if (!found) return sendAgain(rpc, raw);
      const { from, nonce, blockNumber } = found;
      if (queued === 0 || blockNumber !== null) return;
      const turn = Number(await rpc.call('eth_getTransactionCount', from, 'latest'));
      const isQueued = turn in ((await poolOf(rpc)).queued[from] ?? {});
      if (Number(nonce) === turn && isQueued) await sendAllAgain(rpc, from);
    },
  };
}

const LOOK_EVERY_MS = 2;
const MINED_WITHIN_MS = 2_000;

/**
 * Waits until the node has made the blocks of all transactions that it has taken. A node that makes no block at once has
 * nothing to wait for.
 */
export function allMined(rpc: JsonRpc): () => Promise<void> {
  /** Transactions that bid too little: they were awaited once. */
  let stuck = 0;
  return async () => {
    if (!(await rpc.call<boolean>('anvil_getAutomine'))) return;
    const end = performance.now() + MINED_WITHIN_MS;
    const pending = async () => Number((await sizesOf(rpc)).pending);
    let left = await pending();
    while (left > stuck && performance.now() < end) {
      await delay(LOOK_EVERY_MS);
      left = await pending();
    }
    stuck = left;
  };
}
