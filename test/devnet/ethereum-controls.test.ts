import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask, balance, block, height, receipt, SOMEBODY, useEthereumNodes } from '../support/chains/ethereum-nodes.ts';
import { commandLine } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

const nodes = useEthereumNodes();

describe('controls of the embedded Ethereum node', () => {
  it('mine: so many blocks', async () => {
    const { url, controls } = await nodes.start({ statePath: undefined });
    await controls.mine(5);
    expect(await height(url)).toBe(5);
  });

  it('hold: transactions wait until it is let go', async () => {
    const { url, controls, fund } = await nodes.start({ statePath: undefined });
    await controls.hold(true);
    const { hash } = await fund(SOMEBODY, 7n);
    expect(await receipt(url, hash)).toBeNull();
    await controls.hold(false);
    await until(async () => (await receipt(url, hash)) !== null);
    const later = await fund(SOMEBODY, 7n);
    await until(async () => (await receipt(url, later.hash)) !== null);
  });

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

  it('drop: a waiting transaction is forgotten', async () => {
    const { url, controls, fund } = await nodes.start({ statePath: undefined });
    await controls.hold(true);
    const { hash } = await fund(SOMEBODY, 7n);
    await controls.drop(hash);
    await controls.hold(false);
    await controls.mine(1);
    expect(await ask(url, 'eth_getTransactionByHash', hash)).toBeNull();
    expect(await balance(url)).toBe(0n);
  });

  it('reorg: the last blocks are others, their transactions gone', async () => {
    const { url, controls, fund } = await nodes.start({ statePath: undefined });
    await controls.mine(2);
    const { hash } = await fund(SOMEBODY, 7n);
    const before = await block(url, '0x3');
    await controls.reorg(2);
    expect(await height(url)).toBe(3);
    expect((await block(url, '0x3')).hash).not.toBe(before.hash);
    expect(await receipt(url, hash)).toBeNull();
    expect(await balance(url)).toBe(0n);
  });

  it('reorg with moved: the same transactions stand in other blocks', async () => {
    const { url, controls, fund } = await nodes.start({ statePath: undefined });
    const { hash } = await fund(SOMEBODY, 7n);
    await controls.mine(1);
    const before = await receipt(url, hash);
    await controls.reorg(2, true);
    const after = await receipt(url, hash);
    expect(after?.status).toBe('0x1');
    expect(after?.blockHash).not.toBe(before?.blockHash);
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

  it('what a reorganisation leaves on disk goes with the node', async () => {
    const node = await nodes.start();
    const [, cache = ''] = /--cache-path[\s\0]([^\s\0]+)/.exec(commandLine(node.pid)) ?? [];
    await node.controls.mine(3);
    await node.controls.reorg(2);
    expect(readdirSync(cache)).toHaveLength(1);
    await nodes.close(node);
    expect(existsSync(cache)).toBe(false);
  });

  it('feeSpike: the next block has that base fee', async () => {
    const { url, controls } = await nodes.start({ statePath: undefined });
    await controls.feeSpike(500_000_000_000n);
    await controls.mine(1);
    expect(BigInt((await block(url, 'latest')).baseFeePerGas)).toBe(500_000_000_000n);
  });
});
