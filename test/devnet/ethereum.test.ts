import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateFile } from '../../src/devnet/ethereum/state-file.ts';
import { type EthereumNode, startEthereumNode } from '../../src/devnet/ethereum.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { commandLine, processesWith, startScript } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

const CHAIN_ID = 20_260_730;
const SOMEBODY = `0x${'5b'.repeat(20)}`;
const PARENT = new URL('../support/process/ethereum-parent.ts', import.meta.url).pathname;

let folder: string;
let statePath: string;
const open = new Set<{ close(): Promise<unknown> }>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'robot-vasp-test-'));
  statePath = join(folder, 'ethereum.json');
});
afterEach(async () => {
  await Promise.all([...open].map(each => each.close()));
  open.clear();
  await until(() => processesWith(folder).length === 0);
  rmSync(folder, { recursive: true });
});

async function start(changes: { statePath?: string | undefined; blockTimeSeconds?: number } = {}) {
  const options = { statePath, chainId: CHAIN_ID, blockTimeSeconds: 0, log: silentLog, ...changes };
  const node = await startEthereumNode(options);
  open.add(node);
  return node;
}
async function close(node: EthereumNode) {
  open.delete(node);
  await node.close();
}
function ask<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const rpc = jsonRpc(url, 30_000);
  return rpc.call<T>(method, ...params).finally(rpc.close);
}
const height = async (url: string) => Number(await ask<string>(url, 'eth_blockNumber'));
const balance = async (url: string) => BigInt(await ask<string>(url, 'eth_getBalance', SOMEBODY, 'latest'));
const block = (url: string, which: string) =>
  ask<{ hash: string; transactions: string[]; baseFeePerGas: string }>(
    url,
    'eth_getBlockByNumber',
    which,
    false,
  );
const receipt = (url: string, hash: string) =>
  ask<{ status: string; blockNumber: string; blockHash: string } | null>(
    url,
    'eth_getTransactionReceipt',
    hash,
  );
const saved = (from: string) => JSON.parse(readFileSync(from, 'utf8')) as { best_block_number: string };
const savedUpTo = (count: number) =>
  until(() => existsSync(statePath) && Number(saved(statePath).best_block_number) >= count);
const allGone = () => until(() => processesWith(folder).length === 0);

describe('embedded Ethereum node', () => {
  it('block time 0: a transaction stands in a block at once', async () => {
    const { url, fund } = await start();
    const { hash } = await fund(SOMEBODY, 7n);
    expect(await receipt(url, hash)).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    expect(await balance(url)).toBe(7n);
  });

  it('a block time: blocks come without transactions', async () => {
    const { url } = await start({ blockTimeSeconds: 1 });
    await until(async () => (await height(url)) >= 2);
  });

  it('fifty payments of the faucet at once are fifty transactions', async () => {
    const { url, fund } = await start();
    const paid = await Promise.all(Array.from({ length: 50 }, () => fund(SOMEBODY, 3n)));
    expect(new Set(paid.map(each => each.hash)).size).toBe(50);
    await until(async () => (await balance(url)) === 150n);
  });

  it('two nodes at once are two chains', async () => {
    const [one, other] = await Promise.all([
      start({ statePath: undefined }),
      start({ statePath: undefined }),
    ]);
    await one.fund(SOMEBODY, 1n);
    expect(await balance(other.url)).toBe(0n);
    expect((await block(one.url, '0x0')).hash).not.toBe('');
  });

  it('the first block stays the same, however often and whenever the node starts', async () => {
    const hashes = new Set<string>();
    const second = () => Math.floor(Date.now() / 1000);
    for (let run = 0; run < 4; run++) {
      const startedIn = second();
      const node = await start();
      hashes.add((await block(node.url, '0x0')).hash);
      await node.fund(SOMEBODY, 1n);
      const { timestamp } = (await block(node.url, 'latest')) as unknown as { timestamp: string };
      expect(Number(timestamp)).toBeGreaterThanOrEqual(startedIn);
      expect(Number(timestamp)).toBeLessThanOrEqual(second() + 1);
      await until(() => second() > startedIn);
      await close(node);
    }
    expect(hashes.size).toBe(1);
  });

  it('close ends the node; the next start has the same blocks, receipts and balances', async () => {
    const before = await start();
    const { hash } = await before.fund(SOMEBODY, 7n);
    const [genesis, head] = [await block(before.url, '0x0'), await block(before.url, 'latest')];
    await close(before);
    expect(processesWith(folder)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([
      'ethereum.json',
      'ethereum.json.genesis',
      'ethereum.json.previous',
    ]);

    const { url } = await start();
    expect(await block(url, '0x0')).toEqual(genesis);
    expect(await block(url, 'latest')).toEqual(head);
    expect(await receipt(url, hash)).toMatchObject({ status: '0x1' });
    expect(await balance(url)).toBe(7n);
  });

  it('SIGKILL of the parent ends the node, which saves its last transaction first; a start meanwhile waits', async () => {
    const { child, firstLine } = await startScript(PARENT, [statePath, String(CHAIN_ID)], folder);
    const { url, pid } = JSON.parse(await firstLine) as { url: string; pid: number };
    const [faucet] = await ask<string[]>(url, 'eth_accounts');
    const hash = await ask<string>(url, 'eth_sendTransaction', { from: faucet, to: SOMEBODY, value: '0x9' });
    await until(async () => (await receipt(url, hash)) !== null);
    child.kill('SIGKILL');
    const next = await start();
    expect(next.pid).not.toBe(pid);
    expect(processesWith(folder)).not.toContain(pid);
    expect(await receipt(next.url, hash)).toMatchObject({ status: '0x1' });
    expect(await balance(next.url)).toBe(9n);
  });

  it('SIGKILL of the parent leaves no process', async () => {
    const { child, firstLine } = await startScript(PARENT, [statePath, String(CHAIN_ID)], folder);
    const { pid } = JSON.parse(await firstLine) as { pid: number };
    expect(processesWith(folder)).toContain(pid);
    child.kill('SIGKILL');
    await allGone();
  });

  it('SIGKILL of the parent ends a node, too, that no longer reacts', async () => {
    const { child, firstLine } = await startScript(PARENT, [statePath, String(CHAIN_ID)], folder);
    const { pid } = JSON.parse(await firstLine) as { pid: number };
    process.kill(pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await allGone();
  });

  it('SIGKILL of parent and node at once loses at most what came after the last save, never the genesis', async () => {
    const { child, firstLine } = await startScript(PARENT, [statePath, String(CHAIN_ID)], folder);
    const { url, pid } = JSON.parse(await firstLine) as { url: string; pid: number };
    const genesis = await block(url, '0x0');
    const [faucet] = await ask<string[]>(url, 'eth_accounts');
    const pay = () => ask<string>(url, 'eth_sendTransaction', { from: faucet, to: SOMEBODY, value: '0x1' });
    const kept = await pay();
    await savedUpTo(1);
    await pay();
    process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    await allGone();
    const next = await start();
    expect(await block(next.url, '0x0')).toEqual(genesis);
    expect(await receipt(next.url, kept)).toMatchObject({ status: '0x1' });
    expect([1, 2]).toContain(await height(next.url));
  });

  it.each([
    { where: 'with a state file', inMemory: false },
    { where: 'in memory', inMemory: true },
  ])('$where, a node that dies is started again on its port with its saved state', async ({ inMemory }) => {
    const node = await start(inMemory ? { statePath: undefined } : {});
    const { url, pid } = node;
    const genesis = await block(url, '0x0');
    const { hash } = await node.fund(SOMEBODY, 7n);
    if (!inMemory) await savedUpTo(1);
    const exit = new Promise(resolve => node.onExit(resolve));
    const restarted = new Promise<void>(resolve => node.onRestart(resolve));
    process.kill(pid, 'SIGKILL');
    expect(await exit).toEqual({ code: null, signal: 'SIGKILL' });
    await restarted;
    expect(node.pid).not.toBe(pid);
    expect(node.url).toBe(url);
    expect(await block(url, '0x0')).toEqual(genesis);
    if (!inMemory) expect(await receipt(url, hash)).toMatchObject({ status: '0x1' });
    await node.fund(SOMEBODY, 1n);
  });

  it('a node that is asked to end by somebody else loses nothing', async () => {
    const node = await start();
    await node.fund(SOMEBODY, 7n);
    const restarted = new Promise<void>(resolve => node.onRestart(resolve));
    process.kill(node.pid, 'SIGTERM');
    await restarted;
    expect(await balance(node.url)).toBe(7n);
  });

  it('a held chain is still held after the node died', async () => {
    const node = await start();
    await node.knobs.hold(true);
    const restarted = new Promise<void>(resolve => node.onRestart(resolve));
    process.kill(node.pid, 'SIGKILL');
    await restarted;
    const { hash } = await node.fund(SOMEBODY, 7n);
    expect(await receipt(node.url, hash)).toBeNull();
    await node.knobs.hold(false);
    await until(async () => (await receipt(node.url, hash)) !== null);
  });

  it('a torn dump of the end is put aside: the saved state is taken', async () => {
    const before = await start();
    const { hash } = await before.fund(SOMEBODY, 7n);
    await close(before);
    writeFileSync(`${statePath}.exit`, readFileSync(statePath).subarray(0, 3_000));
    const { url } = await start();
    expect(await receipt(url, hash)).toMatchObject({ status: '0x1' });
    expect(existsSync(`${statePath}.corrupt`)).toBe(true);
  });

  it('a corrupt state gives way to the one before it, and without any the chain starts anew', async () => {
    const before = await start();
    await before.fund(SOMEBODY, 7n);
    const genesis = await block(before.url, '0x0');
    await close(before);
    writeFileSync(statePath, '{"block":');
    const older = await start();
    expect(await block(older.url, '0x0')).toEqual(genesis);
    await close(older);

    for (const name of ['', '.previous']) writeFileSync(`${statePath}${name}`, 'nonsense');
    const anew = await start();
    expect(await height(anew.url)).toBe(0);
    await anew.fund(SOMEBODY, 1n);
  });

  it('a pid file that a dead process or another program left does not block', async () => {
    writeFileSync(`${statePath}.pid`, `${process.pid}\n`);
    await close(await start());
    writeFileSync(`${statePath}.pid`, '4194304\n');
    await close(await start());
    writeFileSync(`${statePath}.pid`, '');
    await close(await start());
  });

  it('a state that a living node uses is not used twice', async () => {
    const { pid } = await start();
    await expect(stateFile(statePath).waitUntilFree(50)).rejects.toThrow(`in use by process ${pid}`);
  });

  it('a port that is taken is a fault of the start, and leaves nothing behind', async () => {
    const { url } = await start({ statePath: undefined });
    const options = { statePath, chainId: CHAIN_ID, blockTimeSeconds: 0, log: silentLog };
    await expect(startEthereumNode({ ...options, port: Number(new URL(url).port) })).rejects.toThrow(
      'is taken',
    );
  });
});

describe('knobs of the embedded Ethereum node', () => {
  it('mine: so many blocks', async () => {
    const { url, knobs } = await start({ statePath: undefined });
    await knobs.mine(5);
    expect(await height(url)).toBe(5);
  });

  it('hold: transactions wait until it is let go', async () => {
    const { url, knobs, fund } = await start({ statePath: undefined });
    await knobs.hold(true);
    const { hash } = await fund(SOMEBODY, 7n);
    expect(await receipt(url, hash)).toBeNull();
    await knobs.hold(false);
    await until(async () => (await receipt(url, hash)) !== null);
    const later = await fund(SOMEBODY, 7n);
    await until(async () => (await receipt(url, later.hash)) !== null);
  });

  it('drop: a waiting transaction is forgotten', async () => {
    const { url, knobs, fund } = await start({ statePath: undefined });
    await knobs.hold(true);
    const { hash } = await fund(SOMEBODY, 7n);
    await knobs.drop(hash);
    await knobs.hold(false);
    await knobs.mine(1);
    expect(await ask(url, 'eth_getTransactionByHash', hash)).toBeNull();
    expect(await balance(url)).toBe(0n);
  });

  it('reorg: the last blocks are others, their transactions gone', async () => {
    const { url, knobs, fund } = await start({ statePath: undefined });
    await knobs.mine(2);
    const { hash } = await fund(SOMEBODY, 7n);
    const before = await block(url, '0x3');
    await knobs.reorg(2);
    expect(await height(url)).toBe(3);
    expect((await block(url, '0x3')).hash).not.toBe(before.hash);
    expect(await receipt(url, hash)).toBeNull();
    expect(await balance(url)).toBe(0n);
  });

  it('reorg with moved: the same transactions stand in other blocks', async () => {
    const { url, knobs, fund } = await start({ statePath: undefined });
    const { hash } = await fund(SOMEBODY, 7n);
    await knobs.mine(1);
    const before = await receipt(url, hash);
    await knobs.reorg(2, true);
    const after = await receipt(url, hash);
    expect(after?.status).toBe('0x1');
    expect(after?.blockHash).not.toBe(before?.blockHash);
    expect(await balance(url)).toBe(7n);
  });

  it('what a reorganisation leaves on disk goes with the node', async () => {
    const node = await start();
    const [, cache = ''] = /--cache-path[\s\0]([^\s\0]+)/.exec(commandLine(node.pid)) ?? [];
    await node.knobs.mine(3);
    await node.knobs.reorg(2);
    expect(readdirSync(cache)).toHaveLength(1);
    await close(node);
    expect(existsSync(cache)).toBe(false);
  });

  it('feeSpike: the next block has that base fee', async () => {
    const { url, knobs } = await start({ statePath: undefined });
    await knobs.feeSpike(500_000_000_000n);
    await knobs.mine(1);
    expect(BigInt((await block(url, 'latest')).baseFeePerGas)).toBe(500_000_000_000n);
  });
});
