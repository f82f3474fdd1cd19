import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

interface Block {
  baseFeePerGas: string;
  gasUsed: string;
  gasLimit: string;
}
interface History {
  oldestBlock: string;
  baseFeePerGas: string[];
  gasUsedRatio: number[];
  reward?: string[][];
}

describe.skipIf(BY_URL)('eth_feeHistory', () => {
  const GWEI = 10n ** 9n;
  let world: World;
  let rpc: JsonRpc;
  let head: number;
  beforeAll(async () => {
    world = await createWorld();
    rpc = jsonRpc(`${world.url}/devnet/ethereum`, 30_000);
    await rpc.call('evm_mine');
    await rpc.call('evm_mine');
    const wallet = Wallet.fromPhrase('test test test test test test test test test test test junk');
    const first = Number(await rpc.call('eth_getTransactionCount', wallet.address, 'pending'));
    await rpc.call('evm_setAutomine', false);
    for (const tip of [3n, 1n, 2n]) {
      const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: tip * GWEI };
      const nonce = first + [3n, 1n, 2n].indexOf(tip);
      const payment = { type: 2, chainId: 31_337, nonce, gasLimit: 21_000, to: wallet.address, ...fees };
      await rpc.call('eth_sendRawTransaction', await wallet.signTransaction(payment));
    }
    await rpc.call('evm_mine');
    await rpc.call('evm_setAutomine', true);
    head = Number(await rpc.call('eth_blockNumber'));
  });
  afterAll(async () => {
    await rpc.close();
    await world.close();
  });

  const hex = (value: number) => `0x${value.toString(16)}`;
  const blockAt = (which: number | 'pending') =>
    rpc.call<Block>('eth_getBlockByNumber', which === 'pending' ? which : hex(which), false);

  test.each([
    ['the newest block', 1, 0],
    ['some blocks', 2, 0],
    ['blocks before the newest', 2, 1],
    ['more than there are', 1_000, 0],
  ])('%s: one price more than blocks, each of its block', async (_, count, before) => {
    const newest = head - before;
    const history = await rpc.call<History>('eth_feeHistory', hex(count), hex(newest), []);
    const oldest = Math.max(newest - count + 1, 0);
    const numbers = Array.from({ length: newest - oldest + 1 }, (_, i) => oldest + i);
    const blocks = await Promise.all(numbers.map(blockAt));
    const next = await blockAt(before === 0 ? 'pending' : newest + 1);
    expect(history).toEqual({
      oldestBlock: hex(oldest),
      baseFeePerGas: [...blocks, next].map(({ baseFeePerGas }) => baseFeePerGas),
      gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    });
  });

  test('the tips of a block by percentiles, and none of an empty block', async () => {
    const { reward } = await rpc.call<History>('eth_feeHistory', '0x2', 'latest', [0, 33, 50, 100]);
    const gwei = (tip: bigint) => `0x${(tip * GWEI).toString(16)}`;
    expect(reward).toEqual([Array(4).fill('0x0'), [1n, 1n, 2n, 3n].map(gwei)]);
  });

  test('of many blocks does not ask the node for all of them at once', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => warnings.push(message);
    process.on('warning', onWarning);
    await rpc.call('anvil_mine', '0x20');
    const { gasUsedRatio } = await rpc.call<History>('eth_feeHistory', '0x20', 'latest', [50]);
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    expect([gasUsedRatio.length, warnings]).toEqual([32, []]);
  });
});
