import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** B6: what one stranger asks the shared Ethereum node for has an end, and the error says what to do. */

const world = await forFile(createHostedWorld());
let tenant: HostedTenant;
let other: HostedTenant;
beforeAll(async () => {
  [tenant, other] = [await world.register(), await world.register()];
  await rpc(OPERATOR_KEY, 'anvil_mine', '0x3e8');
  await rpc(OPERATOR_KEY, 'anvil_mine', '0x1f4');
});

interface Answer<T = unknown> {
  result?: T;
  error?: { code: number; message: string };
}

async function post<T>(key: string, body: unknown): Promise<T> {
  const answer = await fetch(`${world.url}/devnet/ethereum`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}
const rpc = <T>(key: string, method: string, ...params: unknown[]) =>
  post<Answer<T>>(key, { jsonrpc: '2.0', id: 1, method, params });
const asked = <T>(method: string, ...params: unknown[]) => rpc<T>(tenant.apiKey, method, ...params);

const TOO_MANY = { code: -32005, message: expect.stringContaining('ask for the logs of at most 1000 blocks at once') };

describe('logs', () => {
  test.each([
    ['from the first block', { fromBlock: '0x0' }],
    ['from the first block by its name', { fromBlock: 'earliest', toBlock: 'latest' }],
    ['of 1001 blocks', { fromBlock: '0x1', toBlock: '0x3e9' }],
    ['in numbers that are not in hexadecimal form', { fromBlock: 0, toBlock: 1_500 }],
  ])('eth_getLogs and eth_newFilter %s are refused', async (_, filter) => {
    for (const method of ['eth_getLogs', 'eth_newFilter'])
      expect((await asked(method, filter)).error, method).toEqual(TOO_MANY);
  });

  test.each([
    ['of 1000 blocks', { fromBlock: '0x1', toBlock: '0x3e8' }],
    ['of the newest block', {}],
    ['with null members', { fromBlock: null, toBlock: null, address: null, topics: null }],
    ['with alternatives', { topics: [null, [`0x${'01'.repeat(32)}`]], address: [`0x${'02'.repeat(20)}`] }],
  ])('eth_getLogs %s is served', async (_, filter) => {
    expect(await asked('eth_getLogs', filter)).toMatchObject({ result: [] });
  });

  test('of one block by its hash', async () => {
    const { result } = await asked<{ hash: string }>('eth_getBlockByNumber', '0x5', false);
    expect(await asked('eth_getLogs', { blockHash: result!.hash })).toMatchObject({ result: [] });
  });

  test.each([
    ['more than 100 addresses', { address: Array(101).fill(`0x${'02'.repeat(20)}`) }],
    ['more than 100 alternatives', { topics: [Array(101).fill(`0x${'01'.repeat(32)}`)] }],
    ['more than four topics', { topics: [null, null, null, null, null] }],
    ['no filter', 'all'],
  ])('%s: refused', async (_, filter) => {
    for (const method of ['eth_getLogs', 'eth_newFilter'])
      expect((await asked(method, filter)).error, method).toMatchObject({ code: -32602 });
  });

  test('the operator reads all of them', async () => {
    expect(await rpc(OPERATOR_KEY, 'eth_getLogs', { fromBlock: '0x0' })).toMatchObject({ result: [] });
  });
});

describe('filters', () => {
  test('a VASP has at most 50, and gets the place of one that it ends', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 50; n++) ids.push((await asked<string>('eth_newBlockFilter')).result!);
    const refused = { code: -32005, message: expect.stringContaining('at most 50 filters') };
    expect((await asked('eth_newFilter', {})).error).toEqual(refused);
    expect((await asked('eth_newPendingTransactionFilter')).error).toEqual(refused);
    expect(await rpc(other.apiKey, 'eth_newBlockFilter')).toHaveProperty('result');
    expect(await asked('eth_uninstallFilter', ids[0])).toMatchObject({ result: true });
    expect(await asked('eth_newBlockFilter')).toHaveProperty('result');
    for (const id of ids.slice(1)) await asked('eth_uninstallFilter', id);
  });

  test('nobody reads or ends the filter of another VASP', async () => {
    const { result: id } = await asked<string>('eth_newBlockFilter');
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'])
      expect((await rpc(other.apiKey, method, id)).error, method).toMatchObject({ message: 'filter not found' });
    expect(await asked('eth_getFilterChanges', id)).toHaveProperty('result');
  });

  test('a filter that has become too long by new blocks has no list of all its logs', async () => {
    const { result: head } = await asked<string>('eth_blockNumber');
    const fromBlock = `0x${(Number(head) - 999).toString(16)}`;
    const { result: id } = await asked<string>('eth_newFilter', { fromBlock });
    expect(await asked('eth_getFilterLogs', id)).toMatchObject({ result: [] });
    expect(await rpc(OPERATOR_KEY, 'anvil_mine', '0x1')).toHaveProperty('result');
    expect((await asked('eth_getFilterLogs', id)).error).toEqual(TOO_MANY);
    expect(await asked('eth_getFilterChanges', id)).toHaveProperty('result');
  });
});

test('the answers to one request have at most 4 MiB together; the rest says so in its place', async () => {
  const to = `0x${'c0'.repeat(20)}`;
  // Returns 1 MiB of zeros: PUSH3 0x100000, PUSH0, RETURN.
  const overrides = { [to]: { code: '0x621000005ff3' } };
  const batch = Array.from({ length: 6 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_call',
    params: [{ to }, 'latest', overrides],
  }));
  const answers = await post<Answer<string>[]>(tenant.apiKey, batch);
  expect(answers).toHaveLength(6);
  const given = answers.filter(({ result }) => result !== undefined);
  expect(JSON.stringify(answers).length).toBeLessThan(4.1 * 1024 * 1024);
  expect(given.length).toBeGreaterThan(0);
  expect(answers.find(({ error }) => error)?.error).toMatchObject({
    code: -32005,
    message: 'The answers to one request have at most 4 MiB: ask for less at once.',
  });
});

describe('eth_subscribe', () => {
  async function opened() {
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}/devnet/ethereum?key=${tenant.apiKey}`);
    await new Promise(resolve => socket.once('open', resolve));
    onTestFinished(() => socket.terminate());
    return (...params: unknown[]) =>
      new Promise<Answer>(resolve => {
        socket.once('message', data => resolve(JSON.parse(String(data))));
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
      });
  }

  test('a filter of logs has at most 100 addresses', async () => {
    const subscribe = await opened();
    expect(await subscribe('logs', { address: Array(101).fill(`0x${'02'.repeat(20)}`) })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await subscribe('logs', { address: `0x${'02'.repeat(20)}` })).toHaveProperty('result');
    expect(await subscribe('logs')).toHaveProperty('result');
  });
});
