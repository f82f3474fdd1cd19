import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import type { RpcProxy } from '../support/chains/rpc-proxy.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** RECV-3: a report is credited by its look-up, and blocks are rolled back that the reader has not read yet. */

describe.skipIf(BY_URL)('a credit in a block that was not read yet', () => {
  let world: World;
  let proxy: RpcProxy;
  let rpc: JsonRpc;
  let release = () => {};
  beforeAll(async () => {
    const chains = await startProxiedEthereum();
    ({ proxy } = chains);
    rpc = jsonRpc(chains.node.url, 5_000);
    const env = { CHAIN_POLL_INTERVAL: '100ms', CHAIN_TIMEOUT: '60s' };
    world = await createWorld({ clock: movingClock, chains, env });
    await chains.node.fund(world.info.treasury.ETH!, 10n ** 18n);
  });
  afterEach(() => release());
  afterAll(async () => {
    await rpc.close();
    await world.close();
  });

  /** The reader waits for the newest block with its transactions, until `release`. */
  async function holdReader(): Promise<void> {
    await world.idle();
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    proxy.rule(async ({ method, params: [block, isFull] }) => {
      if (method === 'eth_getBlockByNumber' && block === 'latest' && isFull) await released;
      return undefined;
    });
  }

  const mine = (blocks: number) => rpc.call('anvil_mine', `0x${blocks.toString(16)}`);
  const balance = () => balanceAt(world, 'ETH', world.user('taylor-robbins').accounts.ETH);

  async function creditedUnread(blocksBefore = 0): Promise<string> {
    const { uuid, to, amount } = await verified(world);
    await holdReader();
    await mine(blocksBefore);
    const txHash = await (await world.wallet('ETH')).pay(to, amount);
    await mine(5);
    await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash });
    await until(async () => (await depositOf(world, txHash))?.status === 'CREDITED');
    return txHash;
  }

  async function isTakenBack(txHash: string, before: string | undefined): Promise<void> {
    release();
    await world.advance('0s');
    expect(await rpc.call('eth_getTransactionReceipt', txHash)).toBeNull();
    expect((await depositOf(world, txHash))?.status).toBe('TAKEN-BACK');
    expect(await balance()).toBe(before);
    const { attention } = await world.api.health();
    expect(attention).toContainEqual({ what: 'credit-taken-back', text: expect.stringContaining(txHash) });
  }

  test.each([0, 3])('is taken back when others take the place of its block, %i blocks after the read ones', async n => {
    const before = await balance();
    const txHash = await creditedUnread(n);
    await rpc.call('anvil_reorg', 6, []);
    await isTakenBack(txHash, before);
  });

  test('is taken back when the chain ends before its block, and goes on elsewhere', async () => {
    const before = await balance();
    const snapshot = await rpc.call('evm_snapshot');
    const txHash = await creditedUnread();
    await rpc.call('evm_revert', snapshot);
    await mine(9);
    await isTakenBack(txHash, before);
  });

  test('is taken back when the chain ends before its block, with no new block', async () => {
    const before = await balance();
    const snapshot = await rpc.call('evm_snapshot');
    const txHash = await creditedUnread();
    await rpc.call('evm_revert', snapshot);
    await isTakenBack(txHash, before);
  });

  test('stays when another block holds the transaction', async () => {
    const txHash = await creditedUnread();
    const raw = await rpc.call<string>('eth_getRawTransactionByHash', txHash);
    await rpc.call('anvil_reorg', 6, [[raw, 3]]);
    release();
    await world.advance('0s');
    expect((await depositOf(world, txHash))?.status).toBe('CREDITED');
    const receipt = await rpc.call<{ blockNumber: string }>('eth_getTransactionReceipt', txHash);
    expect((await depositOf(world, txHash))?.height).toBe(Number(receipt.blockNumber));
  });
});
