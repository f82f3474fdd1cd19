import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { NotPayable } from '../../src/chains/payments.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { watchStalls } from '../../src/kernel/stall.ts';
import { ethereumWorld } from '../support/chains/chain-world.ts';
import { CONTRACTS, deploy } from '../support/chains/contracts.ts';
import { type RpcRule, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { forFile } from '../support/world/for-file.ts';

/** D-35, D-48: the gas limit of a payout. */

const world = await forFile(ethereumWorld());
const rpc = await forFile(jsonRpc(world.url, 30_000));
const proxy = await forFile(startRpcProxy(world.url));
const chain = world.again({ url: proxy.url });
await world.node.fund(world.ours, 1_000n);
beforeEach(() => proxy.rule(undefined));

const gasLimit = async (to: string, amount = 1n) => (await chain.quoteFee({ from: world.ours, to, amount })).gasLimit;

const CANNOT_ESTIMATE: Record<string, ReturnType<RpcRule>> = {
  'an error of JSON-RPC': {
    body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method does not exist' } },
  },
  // As geth, when the account still waits for money.
  'too little money': {
    body: { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'insufficient funds for transfer' } },
  },
  'a page of text': { status: 403, text: '<html>Forbidden</html>' },
};

test('the node estimates this very payment, and a quarter is added', async () => {
  const asked: unknown[] = [];
  proxy.rule(({ method, params }) => {
    if (method !== 'eth_estimateGas') return undefined;
    asked.push(...params);
    return { body: { jsonrpc: '2.0', id: 1, result: '0x32a1f' } };
  });
  expect(await gasLimit(world.nobody, 255n)).toBe(String(Math.floor(207_391 * 1.25)));
  expect(asked).toEqual([{ from: world.ours, to: world.nobody, value: '0xff', gas: '0xf4240' }]);
});

test("D-35: time in which the process itself stands still is not the node's: its estimate counts", async () => {
  onTestFinished(watchStalls());
  proxy.rule(async ({ method }) => {
    if (method !== 'eth_estimateGas') return undefined;
    const until = performance.now() + 3_500;
    while (performance.now() < until);
    return { body: { jsonrpc: '2.0', id: 1, result: '0x32a1f' } };
  });
  expect(await gasLimit(world.nobody)).toBe(String(Math.floor(207_391 * 1.25)));
});

test('D-48: an estimate near the cap gets no more than the cap', async () => {
  const estimate = { body: { jsonrpc: '2.0', id: 1, result: '0xdbba0' } };
  proxy.rule(({ method }) => (method === 'eth_estimateGas' ? estimate : undefined));
  expect(await gasLimit(world.nobody)).toBe('1000000');
});

/** Runtime code. */
const RECIPIENTS = { 'loops for ever': '5b5f56', reverts: '5f5ffd', 'has an invalid instruction': 'fe' };
test.each(Object.entries(RECIPIENTS))(
  'D-48: a recipient that %s is not payable, and the node says why',
  async (_, code) => {
    await expect(gasLimit(await deploy(rpc, code))).rejects.toThrow(NotPayable);
  },
);

test.each([
  'gas required exceeds allowance (1000000)',
  'execution reverted: closed',
  'Out of gas: gas required exceeds allowance: 1000000',
  'invalid opcode: INVALID',
  'invalid jump destination',
  'stack underflow (0 <=> 1)',
])('D-48: a node that says "%s"', async message => {
  proxy.rule(({ method }) =>
    method === 'eth_estimateGas' ? { body: { jsonrpc: '2.0', id: 1, error: { code: -32000, message } } } : undefined,
  );
  await expect(gasLimit(world.nobody)).rejects.toThrow(NotPayable);
});

test('D-48: a bid that replaces another keeps its gas where the recipient has closed meanwhile', async () => {
  const to = await deploy(rpc, RECIPIENTS.reverts);
  const replaced = { ...(await chain.quoteFee(world.payment)), gasLimit: '90000' };
  expect((await chain.quoteFee({ from: world.ours, to, amount: 1n }, replaced)).gasLimit).toBe('90000');
});

test('D-35: an estimate that takes too long is none, and no other node is asked instead', async () => {
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  proxy.rule(async ({ method }) => {
    if (method === 'eth_estimateGas') await released;
    return undefined;
  });
  expect(await gasLimit(world.nobody)).toBe('250000');
  release();
});

describe.each(Object.entries(CANNOT_ESTIMATE))('a node that answers an estimate with %s', (_, refusal) => {
  beforeEach(() => proxy.rule(({ method }) => (method === 'eth_estimateGas' ? refusal : undefined)));

  test('an account that was paid before: 21000', async () => {
    await world.node.fund(world.theirs, 1n);
    expect(await gasLimit(world.theirs)).toBe('21000');
  });

  test('an account that has paid, and has nothing left: 21000', async () => {
    const spent = `0x${'5e'.repeat(20)}`;
    await rpc.call('anvil_setNonce', spent, '0x1');
    expect(await gasLimit(spent)).toBe('21000');
  });

  test('a new account: 250000', async () => expect(await gasLimit(world.nobody)).toBe('250000'));

  test('a contract: 250000', async () => {
    expect(await gasLimit(await deploy(rpc, CONTRACTS.forwarder))).toBe('250000');
  });

  test('an account that delegates to a contract (EIP-7702): 250000', async () => {
    const delegating = `0x${'77'.repeat(20)}`;
    await world.node.fund(delegating, 1n);
    await rpc.call('anvil_setCode', delegating, `0xef0100${'c1'.repeat(20)}`);
    expect(await gasLimit(delegating)).toBe('250000');
  });
});
