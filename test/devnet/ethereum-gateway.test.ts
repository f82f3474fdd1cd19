import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** `/devnet/ethereum` answers as a node does: errors of JSON-RPC with HTTP 200, and nothing to a notification. */

describe.skipIf(BY_URL)('/devnet/ethereum', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  interface Answer {
    id: unknown;
    result?: unknown;
    error?: { code: number; message: string };
  }
  async function post(body: string | object): Promise<{ status: number; text: string }> {
    const answer = await fetch(`${world.url}/devnet/ethereum`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  }
  const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
  async function answerTo(body: object): Promise<Answer> {
    const { status, text } = await post(body);
    expect(status).toBe(200);
    return JSON.parse(text);
  }

  test.each(['eth_foo', 'foo', 'net_foo', 'rpc_modules', 'eth_getWork', 'constructor', ''])(
    'an unknown method is error -32601: %j',
    async method => {
      expect(await answerTo(call(method))).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  test.each([
    'anvil_reset',
    'hardhat_setCode',
    'evm_setIntervalMining',
    'debug_traceBlockByHash',
    'txpool_content',
    'eth_subscribe',
    'eth_sendUnsignedTransaction',
  ])('a refused method is error -32004 with the reason: %s', async method => {
    const { error } = await answerTo(call(method));
    expect(error).toMatchObject({ code: -32004 });
    expect(error?.message).toMatch(new RegExp(`^The method ${method} is not allowed here: .+`));
  });

  test('answers that the node lacks are those of other nodes', async () => {
    expect(await answerTo(call('net_peerCount'))).toMatchObject({ id: 1, result: '0x0' });
    expect(await answerTo(call('debug_traceTransaction', `0x${'7e'.repeat(32)}`))).toMatchObject({
      error: { code: -32000, message: 'transaction not found' },
    });
  });

  test.each([
    ['0x0', []],
    ['0x1', [101]],
    ['0x1', [-1]],
    ['0x1', [50, 10]],
    ['0x1', ['10']],
    ['0x1', Array(101).fill(1)],
  ])('eth_feeHistory over %s blocks with the percentiles %j is refused', async (blocks, percentiles) => {
    expect(await answerTo(call('eth_feeHistory', blocks, 'latest', percentiles))).toMatchObject({
      error: { code: -32602 },
    });
  });

  test('eth_config and eth_simulateV1 read', async () => {
    expect(await answerTo(call('eth_config'))).toHaveProperty('result.current');
    const simulation = { blockStateCalls: [{ calls: [{ to: `0x${'7e'.repeat(20)}`, gas: '0xffffffffff' }] }] };
    expect(await answerTo(call('eth_simulateV1', simulation, 'latest'))).toMatchObject({
      result: [{ calls: [{ status: '0x1' }] }],
    });
  });

  test.each([
    ['too many blocks', { blockStateCalls: Array.from({ length: 1_001 }, () => ({})) }],
    ['a block far ahead', { blockStateCalls: [{ blockOverrides: { number: '0xffffffff' } }] }],
  ])('a simulation with %s is refused', async (_, simulation) => {
    expect(await answerTo(call('eth_simulateV1', simulation))).toMatchObject({ error: { code: -32602 } });
  });

  test('a batch: each call has its own answer, a notification has none', async () => {
    const { status, text } = await post([
      { ...call('eth_chainId'), id: 'a' },
      { jsonrpc: '2.0', method: 'eth_chainId', params: [] },
      { ...call('eth_foo'), id: 'b' },
      { jsonrpc: '2.0', method: 'eth_foo', params: [] },
      { ...call('anvil_reset'), id: null },
    ]);
    expect(status).toBe(200);
    const answers = JSON.parse(text) as Answer[];
    expect(answers.map(({ id }) => id)).toEqual(['a', 'b', null]);
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, -32601, -32004]);
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"eth_blockNumber","params":[]}', 'method'],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_chainId","params":[]}', 'id'],
    ['{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1","to":"0x2"},"latest"]}', 'params[0].to'],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1,"params":[],"params":[]}]', '[1].params'],
  ])('a member that comes twice is refused, and named: %s', async (body, member) => {
    const { status, text } = await post(body);
    const error = { code: -32600, message: `Invalid request: \`${member}\` came twice.` };
    expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: '2.0', id: null, error }]);
  });

  test('a slash at the end of the address makes no difference', async () => {
    const body = JSON.stringify(call('eth_chainId'));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${world.url}/devnet/ethereum/`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ id: 1, result: '0x7a69' });
  });

  test('only notifications: 200 and no answer', async () => {
    const notification = { jsonrpc: '2.0', method: 'eth_chainId', params: [] };
    expect(await post(notification)).toEqual({ status: 200, text: '' });
    expect(await post([notification, notification])).toEqual({ status: 200, text: '' });
  });

  test('over a WebSocket the same, in the order of the calls', async () => {
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}/devnet/ethereum`);
    const received: Answer[] = [];
    await new Promise(resolve => socket.once('open', resolve));
    const done = new Promise<void>(resolve => {
      socket.on('message', data => {
        received.push(JSON.parse(String(data)));
        if (received.length === 2) resolve();
      });
    });
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId', params: [] }));
    socket.send(JSON.stringify({ ...call('eth_foo'), id: 7 }));
    socket.send(JSON.stringify({ ...call('anvil_reset'), id: 8 }));
    await done;
    socket.close();
    expect(new Map(received.map(({ id, error }) => [id, error?.code]))).toEqual(
      new Map([
        [7, -32601],
        [8, -32004],
      ]),
    );
  });

  test('a raw transaction as large as one with six blobs reaches the node; more than 2 MiB does not', async () => {
    const { status, text } = await post(call('eth_sendRawTransaction', `0x03${'00'.repeat(850_000)}`));
    expect(status).toBe(200);
    expect((JSON.parse(text) as Answer).error?.message).not.toMatch(/KiB/);
    expect((await post(call('eth_sendRawTransaction', `0x03${'00'.repeat(1_050_000)}`))).status).toBe(413);
  });
});
