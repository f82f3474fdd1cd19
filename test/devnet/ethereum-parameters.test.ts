import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { sendTransaction } from '../support/chains/contracts.ts';
import { createHostedWorld, type HostedTenant, type HostedWorld } from '../support/world/hosted-world.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** The node gets what was understood of a call, and nothing else: no call of a stranger runs without a limit. */

const CONTRACT = `0x${'aa'.repeat(20)}`;
/** `JUMPDEST; PUSH1 0; JUMP` */
const ENDLESS = { [CONTRACT]: { code: '0x5b600056' } };
const HUGE = `0x1${'0'.repeat(70)}`;

type Answer = { result?: unknown; error?: { code: number; message: string } };
const answerOf = async (url: string, method: string, params: unknown[], key?: string): Promise<Answer> => {
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(`${url}/devnet/ethereum`, { method: 'POST', headers, body });
  return (await answer.json()) as Answer;
};

describe.skipIf(BY_URL)('hosted: a call of a stranger', () => {
  let world: HostedWorld;
  let tenant: HostedTenant;
  beforeAll(async () => {
    world = await createHostedWorld();
    tenant = await world.register();
  });
  afterAll(() => world.close());
  const ask = (method: string, ...params: unknown[]) => answerOf(world.url, method, params, tenant.apiKey);

  const call = { to: CONTRACT };
  const simulated = (block: object, count = 1) => ({
    blockStateCalls: [{ stateOverrides: ENDLESS, calls: Array(count).fill(call), ...block }],
  });
  test.each<[string, string, unknown[]]>([
    ['without gas', 'eth_call', [call, 'latest', ENDLESS]],
    ['with the gas null', 'eth_call', [{ ...call, gas: null }, 'latest', ENDLESS]],
    ['with too much gas', 'eth_call', [{ ...call, gas: '0xffffffffff' }, 'latest', ENDLESS]],
    ['with a limit of the block', 'eth_call', [call, 'latest', ENDLESS, { gasLimit: '0xffffffffffff' }]],
    ['with the gas null', 'eth_estimateGas', [{ ...call, gas: null }, 'latest', ENDLESS]],
    ['with a simulation', 'eth_simulateV1', [simulated({})]],
    ['with a limit of the block', 'eth_simulateV1', [simulated({ blockOverrides: { gasLimit: HUGE.slice(0, 18) } })]],
    ['with sixteen calls', 'eth_simulateV1', [simulated({}, 16)]],
    ['with the gas null', 'eth_simulateV1', [simulated({ calls: [{ ...call, gas: null }] })]],
  ])('%s ends: %s', async (_, method, params) => {
    const answer = JSON.stringify(await ask(method, ...params));
    expect(answer).toMatch(/out of ?gas|OutOfGas|"status":"0x0"|basic out of gas|gas required exceeds/i);
    expect(answer).not.toContain('did not answer');
  });

  test.each<[string, string, unknown[]]>([
    ['gas of more than 256 bits', 'eth_call', [{ ...call, gas: HUGE }, 'latest', ENDLESS]],
    ['gas that is no number', 'eth_call', [{ ...call, gas: 'much' }, 'latest']],
    ['gas that is an object', 'eth_estimateGas', [{ ...call, gas: {} }]],
    ['data that is no text', 'eth_createAccessList', [{ ...call, data: 7 }]],
    ['a list for a transaction', 'eth_call', [[call], 'latest']],
    ['no transaction', 'eth_call', []],
    ['a block that is a list', 'eth_call', [call, ['latest']]],
    ['overrides that are a list', 'eth_call', [call, 'latest', [ENDLESS]]],
    ['no blocks', 'eth_simulateV1', [{}]],
    ['gas of more than 256 bits in a simulation', 'eth_simulateV1', [simulated({ calls: [{ gas: HUGE }] })]],
    ['a tracer in JavaScript', 'debug_traceTransaction', [`0x${'1'.repeat(64)}`, { tracer: '{step(){for(;;){}}}' }]],
    ['a tracer with text', 'debug_traceTransaction', [`0x${'1'.repeat(64)}`, { tracer: ['callTracer'] }]],
    ['no tracer', 'debug_traceTransaction', [`0x${'1'.repeat(64)}`]],
    ['many keys', 'eth_getProof', [CONTRACT, Array(101).fill('0x0'), 'latest']],
  ])('with %s is refused: %s', async (_, method, params) => {
    const { error } = await ask(method, ...params);
    expect(error).toMatchObject({ code: -32602 });
  });

  test('what is unknown or null is left out', async () => {
    const loose = { to: CONTRACT, data: null, value: null, from: null, other: HUGE, gas: '0x5208' };
    expect(await ask('eth_call', loose, null)).toMatchObject({ result: '0x' });
  });
});

describe.skipIf(BY_URL)('the tester of the local mode', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('calls with all parameters of a node', async () => {
    const ask = (method: string, ...params: unknown[]) => answerOf(world.url, method, params);
    const { address } = await world.wallet('ETH');
    const access = [{ address: CONTRACT, storageKeys: [`0x${'0'.repeat(64)}`] }];
    const whole = { from: address, to: CONTRACT, value: '0x1', data: '0x', type: '0x2', accessList: access };
    const overrides = { [CONTRACT]: { balance: '0x7', stateDiff: { [`0x${'0'.repeat(64)}`]: `0x${'1'.repeat(64)}` } } };
    expect(await ask('eth_call', whole, 'latest', overrides)).toMatchObject({ result: '0x' });
    expect(await ask('eth_estimateGas', whole)).toHaveProperty('result');
    expect(await ask('eth_createAccessList', whole, 'pending')).toHaveProperty('result.accessList');
    expect(await ask('eth_fillTransaction', { from: address, to: CONTRACT })).toHaveProperty('result.raw');
    // `NUMBER; PUSH1 0; MSTORE; PUSH1 32; PUSH1 0; RETURN`
    const number = { [CONTRACT]: { code: '0x4360005260206000f3' } };
    const at = { number: '0x77', time: '0x7fffffff' };
    expect(await ask('eth_call', { to: CONTRACT }, 'latest', number, at)).toMatchObject({
      result: `0x${'77'.padStart(64, '0')}`,
    });
  });

  test('traces a transaction by every tracer of the node, and step by step', async () => {
    const rpc = jsonRpc(`${world.url}/devnet/ethereum`, 5_000);
    const { transactionHash } = await sendTransaction(rpc, { to: CONTRACT, value: 1n });
    for (const tracer of ['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer', undefined])
      expect(await rpc.call('debug_traceTransaction', transactionHash, { tracer })).toBeTypeOf('object');
    const config = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true, withLog: false } };
    expect(await rpc.call('debug_traceTransaction', transactionHash, config)).toMatchObject({ type: 'CALL' });
    await rpc.close();
  });
});
