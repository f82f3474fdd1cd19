import { randomBytes } from 'node:crypto';
import { type JsonRpc, RpcRefusal } from '../../kernel/json-rpc.ts';
import { waiting } from './pool.ts';

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** `REVERT(0, 0)` */
export const REVERT = '60006000fd';

/**
 * Makes a block, like `evm_mine`, whose state is saved before it returns. Here that would take too long, and the saved state
 * would refuse payments for good.
 */
export const mineUnsaved = (rpc: JsonRpc): Promise<unknown> => rpc.call('evm_mine_detailed');

/** While it works, the address has a contract that takes nothing. */
export async function whileRefusing<T>(rpc: JsonRpc, address: string, work: () => Promise<T>): Promise<T> {
  const code = await rpc.call<string>('eth_getCode', address, 'latest');
  await rpc.call('anvil_setCode', address, `0x${REVERT}`);
  try {
    return await work();
  } finally {
    await rpc.call('anvil_setCode', address, code);
  }
}

const DELEGATE = '0x44656c656761746500000000000000000000a11e';
/** `SLOAD(0); POP; STOP` */
const READS_STORAGE = '0x6000545000';

/** A new chain begins with it. */
const USUAL_BASE_FEE = 1_000_000_000n;

const NOBODY = `0x${'00'.repeat(20)}`;

/** What the controls need from their node. */
interface OfNode {
  /** Removes a waiting transaction from the pool. False: none with that hash waits. */
  remove(txHash: string): Promise<boolean>;
  startOver(): Promise<void>;
}

/** The controls of a tester over the embedded chain. */
export function ethereumControls(rpc: JsonRpc, blockTimeSeconds: number, { remove, startOver }: OfNode) {
  let spike: bigint | undefined;
  return {
    /** Base fee of the next block in wei per gas, until a spike has passed. */
    async spike(): Promise<bigint | undefined> {
      if (spike === undefined) return undefined;
      const next = rpc.call<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'pending', false);
      spike = await next.then(({ baseFeePerGas }) => BigInt(baseFeePerGas)).catch(() => spike);
      if (spike !== undefined && spike <= USUAL_BASE_FEE) spike = undefined;
      return spike;
    },
    mine: async (blocks: number): Promise<void> => void (await rpc.call('anvil_mine', hex(blocks))),
    /**
     * Replaces the last `depth` blocks by as many others. Their transactions are gone, or with `moved` the first new
     * block holds them. Throws beyond the states that the node knows: the newest 128, and none from before its last start.
     */
    async reorg(depth: number, moved = false): Promise<void> {
      await requireStates(rpc, depth);
      const raw = moved ? await rawTransactions(rpc, depth) : [];
      const pairs = raw.map(transaction => [transaction, 0]);
      // Another miner, or a new block with equal content and time would be the replaced block itself.
      await rpc.call('anvil_setCoinbase', `0x${randomBytes(20).toString('hex')}`);
      await rpc.call('anvil_reorg', depth, pairs).finally(() => rpc.call('anvil_setCoinbase', NOBODY));
    },
    /** Removes a waiting transaction. False: none with that hash waits. */
    async drop(txHash: string): Promise<boolean> {
      if (!(await remove(txHash))) return false;
      // It has nothing to remove. After it the state is saved without the transaction.
      await rpc.call('anvil_dropTransaction', txHash);
      return true;
    },
    /** true: no blocks; transactions wait until it is false again. */
    async hold(on: boolean): Promise<void> {
      if (!on) return resumeMining(rpc, blockTimeSeconds);
      await rpc.call('evm_setAutomine', false);
      await rpc.call('evm_setIntervalMining', 0);
    },
    /** Puts into a block what waits; payments to this address fail. Resolves with the hash of one; undefined: none waits. */
    async failPayment(address: string): Promise<string | undefined> {
      const payment = (await waiting(rpc, ['pending'])).find(({ to }) => to?.toLowerCase() === address.toLowerCase());
      if (payment) await whileRefusing(rpc, address, () => mineUnsaved(rpc));
      return payment?.hash;
    },
    /** The account runs a contract from now on (EIP-7702): a payment to it needs more than 21,000 gas. It can still send. */
    async delegate(address: string): Promise<void> {
      await rpc.call('anvil_setCode', DELEGATE, READS_STORAGE);
      await rpc.call('anvil_setCode', address, `0xef0100${DELEGATE.slice(2)}`);
    },
    /** Base fee of the next block, in wei per gas. It shrinks again by an eighth with every empty block. */
    async feeSpike(baseFee: bigint): Promise<void> {
      await rpc.call('anvil_setNextBlockBaseFeePerGas', hex(baseFee));
      spike = baseFee;
    },
    /** Starts over from a new first block, like the reset of a test network. */
    startOver,
  };
}

async function resumeMining(rpc: JsonRpc, blockTimeSeconds: number): Promise<void> {
  if (blockTimeSeconds > 0) return void (await rpc.call('evm_setIntervalMining', blockTimeSeconds));
  await rpc.call('evm_setAutomine', true);
  const pool = await rpc.call<{ pending: string }>('txpool_status');
  if (Number(pool.pending) > 0) await rpc.call('evm_mine');
}

/** A reorganisation needs the state before the replaced blocks. Throws how deep it may be. */
async function requireStates(rpc: JsonRpc, depth: number): Promise<void> {
  const head = Number(await rpc.call<string>('eth_blockNumber'));
  let possible = Math.min(depth, head);
  while (possible > 0 && !(await isStateKnown(rpc, head - possible))) possible--;
  if (possible < depth)
    throw new Error(
      `at most ${possible} blocks can be replaced now: the node knows no state before block ${head - possible}. It keeps the newest 128 states, and none from before its last start. The control \`mine\` adds blocks`,
    );
}

const isStateKnown = (rpc: JsonRpc, height: number): Promise<boolean> =>
  rpc.call('eth_getBalance', NOBODY, hex(height)).then(
    () => true,
    error => {
      if (error instanceof RpcRefusal) return false;
      throw error;
    },
  );

async function rawTransactions(rpc: JsonRpc, depth: number): Promise<string[]> {
  const head = Number(await rpc.call<string>('eth_blockNumber'));
  const raw: string[] = [];
  for (let number = Math.max(head - depth + 1, 1); number <= head; number++) {
    const block = await rpc.call<{ transactions: string[] }>('eth_getBlockByNumber', hex(number), false);
    for (const hash of block.transactions) raw.push(await rpc.call('eth_getRawTransactionByHash', hash));
  }
  return raw;
}
