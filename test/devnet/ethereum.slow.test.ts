import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stateFile } from '../../src/devnet/ethereum/state-file.ts';
import { startEthereumNode } from '../../src/devnet/ethereum.ts';
import { silentLog } from '../../src/kernel/log.ts';
import {
  ask,
  balance,
  block,
  CHAIN_ID,
  height,
  receipt,
  SOMEBODY,
  useEthereumNodes,
} from '../support/chains/ethereum-nodes.ts';
import { commandLine, processesWith, startScript } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

const nodes = useEthereumNodes();
const PARENT = new URL('../support/process/ethereum-parent.ts', import.meta.url).pathname;
const saved = (from: string) => JSON.parse(readFileSync(from, 'utf8')) as { best_block_number: string };
const savedUpTo = (count: number) =>
  until(() => existsSync(nodes.statePath) && Number(saved(nodes.statePath).best_block_number) >= count);

describe('embedded Ethereum node', () => {
  it('block time 0: a transaction stands in a block at once', async () => {
    const { url, fund } = await nodes.start();
    const { hash } = await fund(SOMEBODY, 7n);
    expect(await receipt(url, hash)).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    expect(await balance(url)).toBe(7n);
  });

  it('a block time: blocks come without transactions', async () => {
    const { url } = await nodes.start({ blockTimeSeconds: 1 });
    await until(async () => (await height(url)) >= 2);
  });

  it('fifty payments of the faucet at once are fifty transactions', async () => {
    const { url, fund } = await nodes.start();
    const paid = await Promise.all(Array.from({ length: 50 }, () => fund(SOMEBODY, 3n)));
    expect(new Set(paid.map(each => each.hash)).size).toBe(50);
    await until(async () => (await balance(url)) === 150n);
  });

  it('two nodes at once are two chains', async () => {
    const [one, other] = await Promise.all([
      nodes.start({ statePath: undefined }),
      nodes.start({ statePath: undefined }),
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
      const node = await nodes.start();
      hashes.add((await block(node.url, '0x0')).hash);
      await node.fund(SOMEBODY, 1n);
      const { timestamp } = (await block(node.url, 'latest')) as unknown as { timestamp: string };
      expect(Number(timestamp)).toBeGreaterThanOrEqual(startedIn);
      expect(Number(timestamp)).toBeLessThanOrEqual(second() + 1);
      await until(() => second() > startedIn);
      await nodes.close(node);
    }
    expect(hashes.size).toBe(1);
  });

  it('close ends the node; the next start has the same blocks, receipts and balances', async () => {
    const before = await nodes.start();
    const { hash } = await before.fund(SOMEBODY, 7n);
    const [genesis, head] = [await block(before.url, '0x0'), await block(before.url, 'latest')];
    await nodes.close(before);
    expect(processesWith(nodes.folder)).toEqual([]);
    expect(readdirSync(nodes.folder).sort()).toEqual([
      'ethereum.json',
      'ethereum.json.genesis',
      'ethereum.json.journal',
      'ethereum.json.previous',
    ]);

    const { url } = await nodes.start();
    expect(await block(url, '0x0')).toEqual(genesis);
    expect(await block(url, 'latest')).toEqual(head);
    expect(await receipt(url, hash)).toMatchObject({ status: '0x1' });
    expect(await balance(url)).toBe(7n);
  });

  it('SIGKILL of the parent ends the node, which saves its last transaction first; a start meanwhile waits', async () => {
    const { child, firstLine } = await startScript(PARENT, [nodes.statePath, String(CHAIN_ID)], nodes.folder);
    const { url, pid } = JSON.parse(await firstLine) as { url: string; pid: number };
    const [faucet] = await ask<string[]>(url, 'eth_accounts');
    const hash = await ask<string>(url, 'eth_sendTransaction', { from: faucet, to: SOMEBODY, value: '0x9' });
    await until(async () => (await receipt(url, hash)) !== null);
    child.kill('SIGKILL');
    const next = await nodes.start();
    expect(next.pid).not.toBe(pid);
    expect(processesWith(nodes.folder)).not.toContain(pid);
    expect(await receipt(next.url, hash)).toMatchObject({ status: '0x1' });
    expect(await balance(next.url)).toBe(9n);
  });

  it('SIGKILL of the parent leaves no temporary folder', async () => {
    const { child, firstLine } = await startScript(PARENT, ['', String(CHAIN_ID)], nodes.folder);
    const { pid } = JSON.parse(await firstLine) as { pid: number };
    const [folder = ''] = /[^\0]+\/robot-vasp-[0-9a-f]{16}/.exec(commandLine(pid)) ?? [];
    expect(existsSync(folder)).toBe(true);
    child.kill('SIGKILL');
    await until(() => !existsSync(folder));
  });

  it('SIGKILL of the parent ends a node, too, that no longer reacts', async () => {
    const { child, firstLine } = await startScript(PARENT, [nodes.statePath, String(CHAIN_ID)], nodes.folder);
    const { pid } = JSON.parse(await firstLine) as { pid: number };
    process.kill(pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await nodes.allGone();
  });

  it.each([
    { where: 'with a state file', inMemory: false },
    { where: 'in memory', inMemory: true },
  ])('$where, a node that dies is started again on its port with its saved state', async ({ inMemory }) => {
    const node = await nodes.start(inMemory ? { statePath: undefined } : {});
    const { url, pid } = node;
    const genesis = await block(url, '0x0');
    const { hash } = await node.fund(SOMEBODY, 7n);
    if (!inMemory) await savedUpTo(1);
    const exit = once(node.events, 'exit');
    const restarted = once(node.events, 'restart');
    process.kill(pid, 'SIGKILL');
    expect(await exit).toEqual([{ code: null, signal: 'SIGKILL' }]);
    await restarted;
    expect(node.pid).not.toBe(pid);
    expect(node.url).toBe(url);
    expect(await block(url, '0x0')).toEqual(genesis);
    if (!inMemory) expect(await receipt(url, hash)).toMatchObject({ status: '0x1' });
    await node.fund(SOMEBODY, 1n);
  });

  it('a node that is asked to end by somebody else loses nothing', async () => {
    const node = await nodes.start();
    await node.fund(SOMEBODY, 7n);
    const restarted = once(node.events, 'restart');
    process.kill(node.pid, 'SIGTERM');
    await restarted;
    expect(await balance(node.url)).toBe(7n);
  });

  it('a torn dump of the end is put aside: the saved state is taken', async () => {
    const before = await nodes.start();
    const { hash } = await before.fund(SOMEBODY, 7n);
    await nodes.close(before);
    writeFileSync(`${nodes.statePath}.exit`, readFileSync(nodes.statePath).subarray(0, 3_000));
    const { url } = await nodes.start();
    expect(await receipt(url, hash)).toMatchObject({ status: '0x1' });
    expect(existsSync(`${nodes.statePath}.corrupt`)).toBe(true);
  });

  it('a corrupt state gives way to the one before it, and without any the chain starts anew', async () => {
    const before = await nodes.start();
    await before.fund(SOMEBODY, 7n);
    const genesis = await block(before.url, '0x0');
    await nodes.close(before);
    writeFileSync(nodes.statePath, '{"block":');
    const older = await nodes.start();
    expect(await block(older.url, '0x0')).toEqual(genesis);
    await nodes.close(older);

    for (const name of ['', '.previous']) writeFileSync(`${nodes.statePath}${name}`, 'nonsense');
    const anew = await nodes.start();
    expect(await height(anew.url)).toBe(0);
    await anew.fund(SOMEBODY, 1n);
  });

  it('a pid file that a dead process or another program left does not block', async () => {
    writeFileSync(`${nodes.statePath}.pid`, `${process.pid}\n`);
    await nodes.close(await nodes.start());
    writeFileSync(`${nodes.statePath}.pid`, '4194304\n');
    await nodes.close(await nodes.start());
    writeFileSync(`${nodes.statePath}.pid`, '');
    await nodes.close(await nodes.start());
  });

  it('of two nodes that start on one state at once, one waits until the other has ended', async () => {
    const starts = [nodes.start(), nodes.start()];
    const first = await Promise.race(starts);
    const genesis = await block(first.url, '0x0');
    // As the node of a killed program: nobody touches the state afterwards.
    process.kill(first.pid, 'SIGKILL');
    await nodes.close(first);
    const [one, other] = await Promise.all(starts);
    const second = first === one ? other : one;
    expect(second?.pid).not.toBe(first.pid);
    expect(await block(second?.url ?? '', '0x0')).toEqual(genesis);
  });

  it('a state that a living node uses is not used twice', async () => {
    const { pid } = await nodes.start();
    await expect(stateFile(nodes.statePath).waitUntilFree(50)).rejects.toThrow(`in use by process ${pid}`);
  });

  it('a port that is taken is a fault of the start, and leaves nothing behind', async () => {
    const { url } = await nodes.start({ statePath: undefined });
    const options = { statePath: nodes.statePath, chainId: CHAIN_ID, blockTimeSeconds: 0, log: silentLog };
    await expect(startEthereumNode({ ...options, port: Number(new URL(url).port) })).rejects.toThrow('is taken');
  });
});
