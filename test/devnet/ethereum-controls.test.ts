import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { TESTER } from '../../src/devnet/access.ts';
import { balance, block, CHAIN_ID, receipt, SOMEBODY, useEthereumNodes } from '../support/chains/ethereum-nodes.ts';
import { commandLine } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

const nodes = useEthereumNodes();

describe('controls of the embedded Ethereum node', () => {
  it('failPayment: what waits for this address fails, and the next payment arrives', async () => {
    const { url, controls, fund } = await nodes.start({ statePath: undefined });
    await controls.hold(true);
    expect(await controls.failPayment(SOMEBODY)).toBeUndefined();
    const { hash } = await fund(SOMEBODY, 7n);
    expect(await controls.failPayment(SOMEBODY)).toBe(hash);
    expect((await receipt(url, hash))?.status).toBe('0x0');
    await controls.hold(false);
    await fund(SOMEBODY, 5n);
    expect(await balance(url)).toBe(5n);
  });

  it('a payment of the faucet fails on order, also where a block comes every hour, and not while the ledger is held', async () => {
    const node = await nodes.start({ statePath: undefined, blockTimeSeconds: 3_600 });
    const { hash } = await node.failToFund(SOMEBODY, 7n);
    expect((await receipt(node.url, hash))?.status).toBe('0x0');
    await node.fund(SOMEBODY, 5n);
    await node.controls.mine(1);
    expect(await balance(node.url)).toBe(5n);
    await node.controls.hold(true);
    await expect(node.failToFund(SOMEBODY, 7n)).rejects.toThrow('no payment fails while the ledger is held');
  });

  it('delegate: a payment to the account needs more than 21,000 gas, and arrives', async () => {
    const { url, controls, fund } = await nodes.start({ statePath: undefined });
    await controls.delegate(SOMEBODY);
    const { hash } = await fund(SOMEBODY, 7n);
    expect(Number((await receipt(url, hash))?.gasUsed)).toBeGreaterThan(21_000);
    expect(await balance(url)).toBe(7n);
  });

  it('reorg: as deep as the last start of the node; a deeper one says how deep it may be and why', async () => {
    const first = await nodes.start();
    await first.controls.mine(3);
    await expect(first.controls.reorg(4)).rejects.toThrow(/at most 3 blocks .* before block 0/);
    await nodes.close(first);
    const { url, controls } = await nodes.start();
    await expect(controls.reorg(1)).rejects.toThrow(/at most 0 blocks .* before its last start/);
    await controls.mine(2);
    await expect(controls.reorg(3, true)).rejects.toThrow(/at most 2 blocks .* before block 3/);
    const before = await block(url, '0x4');
    await controls.reorg(2);
    expect((await block(url, '0x4')).hash).not.toBe(before.hash);
  });

  it.each(['reorg', 'evm_revert'])('%s: what waits behind a transaction that is gone is not lost', async how => {
    const { url, controls, fund, gateway } = await nodes.start({ statePath: undefined });
    const call = async (method: string, ...params: unknown[]) =>
      JSON.parse(await gateway.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), TESTER)).result;
    const wallet = Wallet.createRandom();
    const pay = (nonce: number) =>
      wallet
        .signTransaction({ to: SOMEBODY, nonce, value: 1n, gasLimit: 21_000n, gasPrice: 10n ** 10n, chainId: CHAIN_ID })
        .then(raw => call('eth_sendRawTransaction', raw));
    await fund(wallet.address, 10n ** 18n);
    await controls.hold(true);
    const snapshot = await call('evm_snapshot');
    const first = await pay(0);
    await controls.mine(1);
    const second = await pay(1);
    if (how === 'reorg') await controls.reorg(1);
    else await call('evm_revert', snapshot);
    await controls.mine(1);
    expect(await pay(0)).toBe(first);
    await controls.hold(false);
    expect((await receipt(url, first))?.status).toBe('0x1');
    expect((await receipt(url, second))?.status).toBe('0x1');
  });

  it('transactions of one account of the node, sent at the same time, get a number each, also beside the faucet', async () => {
    const { gateway, fund, url } = await nodes.start({ statePath: undefined });
    const call = async (method: string, ...params: unknown[]) =>
      JSON.parse(await gateway.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), TESTER));
    const [from] = (await call('eth_accounts')).result;
    const sent = Promise.all(
      Array.from({ length: 20 }, () => call('eth_sendTransaction', { from, to: SOMEBODY, value: '0x1' })),
    );
    for (let n = 0; n < 5; n++) await fund(SOMEBODY, 1n);
    const answers = await sent;
    expect(answers.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(new Set(answers.map(({ result }) => result)).size).toBe(20);
    await until(async () => (await balance(url)) === 25n);
  });

  it('evm_setAutomine of a tester is the control hold, also after a restart of the node', async () => {
    const node = await nodes.start({ statePath: undefined });
    const setAutomine = (on: boolean) =>
      node.gateway.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setAutomine', params: [on] }), TESTER);
    await setAutomine(false);
    expect(await node.activeControls()).toEqual(['hold']);
    const restarted = once(node.events, 'restart');
    process.kill(node.pid, 'SIGKILL');
    await restarted;
    const { hash } = await node.fund(SOMEBODY, 7n);
    expect(await receipt(node.url, hash)).toBeNull();
    await node.controls.hold(false);
    expect(await node.activeControls()).toEqual([]);
    await until(async () => (await balance(node.url)) === 7n);
    await node.controls.hold(true);
    await setAutomine(true);
    expect(await node.activeControls()).toEqual([]);
  });

  it('what a reorganisation leaves on disk goes with the node', async () => {
    const node = await nodes.start();
    const [, cache = ''] = /--cache-path[\s\0]([^\s\0]+)/.exec(commandLine(node.pid)) ?? [];
    await node.controls.mine(3);
    await node.controls.reorg(2);
    expect(readdirSync(cache)).toHaveLength(1);
    await nodes.close(node);
    expect(existsSync(cache)).toBe(false);
  });
});
