import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import { TESTER } from '../../src/devnet/access.ts';
import { poolKeeper } from '../../src/devnet/ethereum/pool.ts';
import type { EthereumNode } from '../../src/devnet/ethereum.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
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
import { startScript } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

/** What the embedded Ethereum node has acknowledged is not lost, whenever it is killed. */

const nodes = useEthereumNodes();
const PARENT = new URL('../support/process/ethereum-parent.ts', import.meta.url).pathname;
const RICH = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** To send them again takes some time. */
const MANY = 100;

/** A transaction of the faucet's first account, signed by its own key. */
async function signed(nonce: number, value: bigint, to = SOMEBODY): Promise<string> {
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
  return new Wallet(RICH).signTransaction({ type: 2, chainId: CHAIN_ID, nonce, to, value, gasLimit: 21_000n, ...fees });
}

/** As a stranger sends it: through the gateway. Answers the result. */
async function send(node: EthereumNode, method: string, ...params: unknown[]): Promise<string> {
  const answer = await node.gateway.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), TESTER);
  const { result, error } = JSON.parse(answer) as { result?: string; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result!;
}
const sendRaw = (node: EthereumNode, raw: string) => send(node, 'eth_sendRawTransaction', raw);

async function killed(node: EthereumNode): Promise<void> {
  const restarted = once(node.events, 'restart');
  process.kill(node.pid, 'SIGKILL');
  await restarted;
}
const isMined = (node: EthereumNode, hash: string) => until(async () => (await receipt(node.url, hash)) !== null);

describe.each([
  { where: 'with a state file', changes: {} },
  { where: 'in memory', changes: { statePath: undefined } },
])('B5, $where', ({ changes }) => {
  test('killed directly after it has acknowledged transactions: their receipts are there, and no block is there twice', async () => {
    const node = await nodes.start(changes);
    const hashes: string[] = [];
    for (let nonce = 0; nonce < 20; nonce++) hashes.push(await sendRaw(node, await signed(nonce, 1n)));
    await killed(node);
    for (const hash of hashes) expect(await receipt(node.url, hash)).toMatchObject({ status: '0x1' });
    expect(await balance(node.url)).toBe(20n);
    // What is sent again at once may share a block.
    expect(await height(node.url)).toBeLessThanOrEqual(20);
  });

  test('killed directly after a transaction was mined, again and again: nothing is lost, and nothing is paid twice', async () => {
    const node = await nodes.start(changes);
    for (let nonce = 0; nonce < 5; nonce++) {
      const hash = await sendRaw(node, await signed(nonce, 1n));
      await isMined(node, hash);
      await killed(node);
      expect(await receipt(node.url, hash)).toMatchObject({ status: '0x1' });
      expect(await balance(node.url)).toBe(BigInt(nonce + 1));
      // Two that no saved state had may share a block, as above.
      expect(await height(node.url)).toBeLessThanOrEqual(nonce + 1);
    }
  });

  test('the faucet: a payment, several together, one that fails', async () => {
    const node = await nodes.start(changes);
    const other = `0x${'0d'.repeat(20)}`;
    await node.fund(SOMEBODY, 1n);
    await node.payTogether([
      { account: SOMEBODY, amount: 2n },
      { account: other, amount: 4n },
    ]);
    const failed = await node.failToFund(other, 8n);
    await killed(node);
    expect([await balance(node.url), await balance(node.url, other)]).toEqual([3n, 4n]);
    expect(await receipt(node.url, failed.hash)).toMatchObject({ status: '0x0' });
    expect(await ask(node.url, 'eth_getCode', other, 'latest')).toBe('0x');
    await node.fund(SOMEBODY, 1n);
    expect(await balance(node.url)).toBe(4n);
  });

  test('a transaction of an account of the node, whose bytes the caller does not have', async () => {
    const node = await nodes.start(changes);
    const [from] = await ask<string[]>(node.url, 'eth_accounts');
    const hash = await send(node, 'eth_sendTransaction', { from, to: SOMEBODY, value: '0x7' });
    await killed(node);
    expect(await receipt(node.url, hash)).toMatchObject({ status: '0x1' });
    expect(await balance(node.url)).toBe(7n);
  });

  test('no blocks are made: what waits still waits, however often the state was saved, and is mined once', async () => {
    const node = await nodes.start(changes);
    await node.controls.hold(true);
    const hash = await sendRaw(node, await signed(0, 5n));
    await node.controls.mine(1);
    await sendRaw(node, await signed(1, 1n));
    for (let kill = 0; kill < 2; kill++) await killed(node);
    await node.controls.hold(false);
    await until(async () => (await balance(node.url)) === 6n);
    expect(await receipt(node.url, hash)).toMatchObject({ status: '0x1' });
  });

  test('a reorganisation is kept, too: what it has removed does not come back', async () => {
    const node = await nodes.start(changes);
    await node.controls.mine(2);
    const removed = await sendRaw(node, await signed(0, 5n));
    await isMined(node, removed);
    await node.controls.reorg(1);
    const kept = await sendRaw(node, await signed(0, 7n));
    await killed(node);
    expect(await receipt(node.url, removed)).toBeNull();
    expect(await receipt(node.url, kept)).toMatchObject({ status: '0x1' });
    expect(await balance(node.url)).toBe(7n);
  });

  test('blocks, balances and the time that a tester has made', async () => {
    const node = await nodes.start(changes);
    await send(node, 'evm_increaseTime', 7_200);
    await send(node, 'anvil_mine', '0x3');
    const { timestamp } = await block(node.url, 'latest');
    await killed(node);
    expect(await height(node.url)).toBe(3);
    await send(node, 'evm_mine');
    expect(Number((await block(node.url, 'latest')).timestamp)).toBeGreaterThanOrEqual(Number(timestamp));
    await send(node, 'anvil_setBalance', SOMEBODY, '0x7');
    await killed(node);
    expect([await height(node.url), await balance(node.url)]).toEqual([4, 7n]);
  });

  test('what was dropped does not come back, and what follows it waits for its number', async () => {
    const node = await nodes.start(changes);
    await node.controls.hold(true);
    const hashes: string[] = [];
    for (const nonce of [0, 1, 2, 9]) hashes.push(await sendRaw(node, await signed(nonce, 10n ** BigInt(nonce))));
    const [, second, , tenth] = hashes as [string, string, string, string];
    expect(await node.controls.drop(tenth)).toBe(true);
    expect(await node.controls.drop(second)).toBe(true);
    for (const gone of [second, tenth, `0x${'ab'.repeat(32)}`]) expect(await node.controls.drop(gone)).toBe(false);
    await killed(node);
    await node.controls.hold(false);
    await isMined(node, hashes[0]!);
    expect(await balance(node.url)).toBe(1n);
    await sendRaw(node, await signed(1, 20n));
    await until(async () => (await balance(node.url)) === 121n);
    expect(await node.controls.drop(hashes[0]!)).toBe(false);
  });
});

test.each([
  ['a transaction is dropped', (node: EthereumNode, last: string) => node.controls.drop(last)],
  ['the head moves back', (node: EthereumNode) => send(node, 'evm_revert', '0x0')],
])('a state that is saved while %s: what waits still waits after a kill', async (_, work) => {
  const node = await nodes.start();
  await send(node, 'evm_snapshot');
  await node.controls.hold(true);
  let last = '';
  for (let nonce = 0; nonce < MANY; nonce++) last = await sendRaw(node, await signed(nonce, 1n));
  let isOver = false;
  const saving = (async () => {
    while (!isOver) await send(node, 'anvil_setBalance', `0x${'0d'.repeat(20)}`, '0x7');
  })();
  await work(node, last);
  isOver = true;
  await saving;
  await killed(node);
  await node.controls.hold(false);
  await until(async () => (await balance(node.url)) >= BigInt(MANY - 1));
});

test('B5: program and node are killed at once: the next program has what the last one acknowledged', async () => {
  const { child, firstLine } = await startScript(PARENT, [nodes.statePath, String(CHAIN_ID), '3'], nodes.folder);
  const { pid, hashes } = JSON.parse(await firstLine) as { pid: number; hashes: string[] };
  process.kill(pid, 'SIGKILL');
  child.kill('SIGKILL');
  await nodes.allGone();
  const next = await nodes.start();
  expect(hashes).toHaveLength(3);
  for (const hash of hashes) expect(await receipt(next.url, hash)).toMatchObject({ status: '0x1' });
  expect(await balance(next.url)).toBe(3n);
  expect(await height(next.url)).toBe(3);
});

test('the journal has only what the state lacks', async () => {
  const node = await nodes.start();
  const lines = () => readFileSync(`${nodes.statePath}.journal`, 'utf8').split('\n').filter(Boolean);
  await node.fund(SOMEBODY, 1n);
  expect(lines()).toHaveLength(2);
  await until(() => lines().length === 1);
  expect(JSON.parse(lines()[0]!)).toEqual({ base: (await block(node.url, 'latest')).hash });
});

test('what waits for a transaction that is mined is sent again with all that follows it, and nothing is lost', async () => {
  const node = await nodes.start();
  const rpc = jsonRpc(node.url, 30_000);
  nodes.closeLater({ close: async () => rpc.close() });
  const account = new Wallet(RICH).address;
  const sent = async (nonce: number) => {
    const raw = await signed(nonce, 1n);
    return { raw, hash: await rpc.call<string>('eth_sendRawTransaction', raw) };
  };
  const queued = async () => {
    const pool = await rpc.call<{ queued: Record<string, object> }>('txpool_content');
    return Object.values(pool.queued).flatMap(Object.keys);
  };
  const [second, third, tenth] = [await sent(1), await sent(2), await sent(9)];
  // As by a block between the number of the account and the pool.
  await rpc.call('anvil_setNonce', account, '0x1');
  await rpc.call('evm_mine');
  expect(await queued()).toEqual(['1', '2', '9']);
  const { ensureTaken } = poolKeeper();
  await ensureTaken(rpc, second);
  await isMined(node, third.hash);
  expect(await queued()).toEqual(['9']);
  // As one that the node took while it removed the others.
  await rpc.call('anvil_removePoolTransactions', account);
  await ensureTaken(rpc, tenth);
  expect(await queued()).toEqual(['9']);
});

test('a journal that belongs to another state, or is torn, harms nothing', async () => {
  const before = await nodes.start();
  const { hash } = await before.fund(SOMEBODY, 1n);
  await nodes.close(before);
  const journal = `${nodes.statePath}.journal`;
  const raw = await signed(1, 100n);
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  writeFileSync(journal, line({ base: `0x${'ab'.repeat(32)}` }) + line({ hash: '0x1', raw }));
  const other = await nodes.start();
  expect(await receipt(other.url, hash)).toMatchObject({ status: '0x1' });
  expect(await balance(other.url)).toBe(1n);
  const base = (await block(other.url, 'latest')).hash;
  await nodes.close(other);
  writeFileSync(journal, `${line({ base })}${line({ hash: '0x1', raw })}{"hash":"0x`);
  const torn = await nodes.start();
  expect(await balance(torn.url)).toBe(101n);
  expect(existsSync(journal)).toBe(true);
});
