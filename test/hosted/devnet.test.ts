import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** The embedded chains of a hosted sandbox: strangers read, and send what they have signed. */

const world = await forFile(createHostedWorld());
const tenant = await world.register();

interface Answered {
  result?: unknown;
  error?: { message?: string };
}

async function rpc(path: string, body: object, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Answered };
}
const eth = (method: string, params: unknown[], key?: string, path = '/devnet/ethereum') =>
  rpc(path, { jsonrpc: '2.0', id: 1, method, params }, key);
const xrp = (method: string, key: string) => rpc('/devnet/xrpl', { method, params: [{}] }, key);

test('without a key nothing is served, with one in the header or the address it is', async () => {
  for (const path of ['/devnet/ethereum', '/devnet/xrpl', '/devnet/xrpl/accounts'])
    expect.soft((await rpc(path, {})).status, path).toBe(401);
  expect((await eth('eth_chainId', [], tenant.apiKey)).body.result).toBe('0x7a69');
  const inAddress = `/devnet/ethereum?key=${tenant.apiKey}`;
  expect((await eth('eth_chainId', [], undefined, inAddress)).body.result).toBe('0x7a69');
});

test.each(['eth_sendTransaction', 'eth_sign', 'evm_mine', 'anvil_setBalance', 'evm_revert'])(
  'a stranger is refused %s',
  async method => {
    const { status, body } = await eth(method, [{}], tenant.apiKey);
    expect([status, body.error?.message]).toEqual([200, expect.stringContaining('not allowed')]);
  },
);

test('a stranger may send a signed transaction, the operator may do more', async () => {
  const { body } = await eth('eth_sendRawTransaction', ['0x00'], tenant.apiKey);
  expect(body.error?.message).not.toContain('not allowed');
  expect(await eth('evm_mine', [], OPERATOR_KEY)).toMatchObject({ status: 200 });
});

test('each call of a batch counts as a request of its key, and those over the limit wait', async () => {
  const batch = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
  const other = await world.register();
  await world.operator.changeTenant(other.vaspId, { quotas: { requestsPerSecond: 0, burst: 4 } });
  let isAnswered = false;
  const answer = rpc('/devnet/ethereum', batch, other.apiKey).finally(() => {
    isAnswered = true;
  });
  await until(async () => (await other.api.call('GET', '/v1/vasps/self')).status === 429);
  expect(isAnswered).toBe(false);
  await world.operator.changeTenant(other.vaspId, { quotas: { requestsPerSecond: 50, burst: 100 } });
  const { status, body } = await answer;
  expect([status, (body as unknown[]).map(each => 'result' in (each as Answered))]).toEqual([200, Array(6).fill(true)]);
});

test('a call of a stranger has at most 10,000,000 gas on the embedded Ethereum chain, that of the operator 30,000,000', async () => {
  // Answers the gas that it has.
  const code = '0x5a60005260206000f3';
  const gasOf = async (key: string, more = {}) =>
    Number((await eth('eth_call', [{ data: code, ...more }, 'latest'], key)).body.result);
  for (const more of [{}, { gas: '0x3b9aca00' }, { gasLimit: '0x3b9aca00' }]) {
    expect(await gasOf(tenant.apiKey, more)).toBeLessThan(10_000_000);
    expect(await gasOf(tenant.apiKey, more)).toBeGreaterThan(9_000_000);
  }
  expect(await gasOf(OPERATOR_KEY, { gas: '0x3b9aca00' })).toBeGreaterThan(29_000_000);
});

test('calls of a VASP do not fill the audit log, those of the operator stand in it', async () => {
  await eth('eth_chainId', [], tenant.apiKey);
  await xrp('server_info', tenant.apiKey);
  await eth('evm_mine', [], OPERATOR_KEY);
  const path = '/sandbox/v1/audit?limit=999';
  const { body } = await world.operator.call<{ entries: { role: string; target: string }[] }>('GET', path);
  const ofLedgers = body.entries.filter(({ target }) => target.startsWith('/devnet'));
  expect(new Set(ofLedgers.map(({ role }) => role))).toEqual(new Set(['operator']));
});

test('on the XRP Ledger a stranger is no admin and has no faucet', async () => {
  expect((await xrp('ledger_accept', tenant.apiKey)).status).toBe(403);
  expect((await rpc('/devnet/xrpl/accounts', {}, tenant.apiKey)).status).toBe(403);
  expect((await xrp('server_info', tenant.apiKey)).body.result).toMatchObject({ status: 'success' });
});

describe('WebSockets', () => {
  const opened = (path: string, key?: string, headers = {}) =>
    new Promise<WebSocket | number>(resolve => {
      const socket = new WebSocket(world.url.replace('http', 'ws') + path + (key ? `?key=${key}` : ''), { headers });
      socket.on('error', () => {});
      socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0));
      socket.on('open', () => resolve(socket));
    });
  const asked = (socket: WebSocket, call: object) =>
    new Promise<object>(resolve => {
      socket.once('message', data => resolve(JSON.parse(String(data))));
      socket.send(JSON.stringify(call));
    });

  test('a key is needed, and decides what they may do', async () => {
    for (const path of ['/devnet/ethereum', '/devnet/xrpl'])
      for (const key of [undefined, 'rv_main_wrong']) expect(await opened(path, key)).toBe(401);
    const ethereum = (await opened('/devnet/ethereum', tenant.apiKey)) as WebSocket;
    const mine = { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] };
    expect(await asked(ethereum, mine)).toMatchObject({ error: { message: expect.stringContaining('not allowed') } });
    const xrpl = (await opened('/devnet/xrpl', tenant.apiKey)) as WebSocket;
    expect(await asked(xrpl, { id: 1, command: 'ledger_accept' })).toMatchObject({ error: 'forbidden' });
    ethereum.close();
    xrpl.close();
  });

  test.each(['read', 'check'])('a key with the scope `%s` opens none: it could send transactions', async scope => {
    const { body } = await tenant.api.call<{ apiKey: string }>('POST', '/sandbox/v1/keys', { name: scope, scope });
    for (const path of ['/devnet/ethereum', '/devnet/xrpl']) expect(await opened(path, body.apiKey)).toBe(403);
  });

  test.each([
    ['/devnet/xrpl', (id: number) => ({ id, command: 'ping' })],
    ['/devnet/ethereum', (id: number) => ({ id, method: 'eth_chainId' })],
  ])('%s: each frame counts as a request of its key, and those over the limit wait', async (path, callOf) => {
    const other = await world.register();
    await world.operator.changeTenant(other.vaspId, { quotas: { requestsPerSecond: 0, burst: 4 } });
    const socket = (await opened(path, other.apiKey)) as WebSocket;
    onTestFinished(() => socket.terminate());
    const answered: unknown[] = [];
    socket.on('message', data => answered.push((JSON.parse(String(data)) as { id: unknown }).id));
    for (let id = 1; id <= 6; id++) socket.send(JSON.stringify(callOf(id)));
    await until(() => answered.length >= 3);
    expect((await other.api.call('GET', '/v1/vasps/self')).status).toBe(429);
    expect(answered.toSorted()).toEqual([1, 2, 3]);
    await world.operator.changeTenant(other.vaspId, { quotas: { requestsPerSecond: 50, burst: 100 } });
    await until(() => answered.length === 6);
  });

  test.each(['/devnet/ethereum', '/devnet/xrpl'])(
    '%s: a frame that is too long, or in too many fragments, ends its connection',
    async path => {
      const other = await world.register();
      const [long, torn] = [await opened(path, other.apiKey), await opened(path, other.apiKey)] as WebSocket[];
      const closed = Promise.all([long, torn].map(socket => once(socket!, 'close')));
      long!.send(`{"id":1${' '.repeat(256 * 1024)}}`);
      for (let n = 0; n < 1_001; n++) torn!.send('[', { fin: false });
      const codes = (await closed).map(([code]) => code);
      expect(codes[0]).toBe(1009);
      expect(codes[1]).not.toBe(1000);
    },
  );

  test('one more than the quota is refused until one of them is closed', async () => {
    const other = await world.register();
    await world.operator.changeTenant(other.vaspId, { quotas: { webSockets: 2 } });
    const sockets = [await opened('/devnet/xrpl', other.apiKey), await opened('/devnet/ethereum', other.apiKey)];
    expect(await opened('/devnet/xrpl', other.apiKey)).toBe(429);
    (sockets[0] as WebSocket).close();
    await until(async () => {
      const next = await opened('/devnet/xrpl', other.apiKey);
      sockets.push(next);
      return next instanceof WebSocket;
    });
    for (const socket of sockets) if (socket instanceof WebSocket) socket.terminate();
  });

  test('many of one key give no warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { apiKey } = await world.register();
    const sockets = await Promise.all(Array.from({ length: 15 }, () => opened('/devnet/xrpl', apiKey)));
    for (const socket of sockets) (socket as WebSocket).terminate();
    expect(warnings).toEqual([]);
  });

  test('they end with their key, and with the suspension of the VASP', async () => {
    const { api, apiKey, vaspId } = await world.register();
    const { body: key } = await api.call<{ id: string; apiKey: string }>('POST', '/sandbox/v1/keys', {
      name: 'ledger',
    });
    const authorization = `Bearer ${apiKey}`;
    const sockets = [
      await opened('/devnet/xrpl', key.apiKey),
      await opened('/devnet/xrpl', undefined, { authorization }),
    ] as WebSocket[];
    const [withKey, suspended] = sockets.map(socket => once(socket, 'close'));
    await api.revokeKey(key.id);
    await withKey;
    await world.operator.changeTenant(vaspId, { suspended: true });
    await suspended;
  });
});
