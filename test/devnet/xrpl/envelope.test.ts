import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, type TestLedger, testLedger } from './support.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

async function post(body: unknown, remoteAddress = '127.0.0.1'): Promise<{ status: number; body: unknown }> {
  const request = new Request('http://ledger/', { method: 'POST', body: JSON.stringify(body) });
  const response = await ledger.handleRequest(request, { remoteAddress });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text.trim(),
  };
}

test.each([
  ['beside the method', { id: 7, jsonrpc: '2.0', ripplerpc: '1.0', method: 'ping' }],
  ['in the parameters', { method: 'ping', params: [{ id: 7, jsonrpc: '2.0', ripplerpc: '1.0' }] }],
])('XRPL-1.3: id, jsonrpc and ripplerpc are echoed: %s', async (_where, call) => {
  expect((await post(call)).body).toEqual({
    id: 7,
    jsonrpc: '2.0',
    ripplerpc: '1.0',
    result: { role: 'admin', unlimited: true, status: 'success' },
  });
});

test('XRPL-1.3: up to ripplerpc 1.0 an error is a result, from 2.0 on it stands in place of it', async () => {
  const call = { method: 'account_info', params: [{ account: 'x', secret: 'hidden' }] };
  const old = await post(call);
  expect(old).toMatchObject({
    status: 200,
    body: {
      result: { error: 'actMalformed', error_code: 35, status: 'error', request: { secret: '<masked>' } },
    },
  });
  const [params] = call.params;
  const answer = await post({ ...call, params: [{ ...params, ripplerpc: '2.0' }] });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      ripplerpc: '2.0',
      error: { error: 'actMalformed', error_code: 35, code: 35, message: 'Account malformed.' },
    },
  });
  expect(answer.body).not.toHaveProperty('result');
  const good = await post({ method: 'ping', params: [{ ripplerpc: '2.0' }] });
  expect(good.body).toMatchObject({ result: { status: 'success' } });
});

test('from ripplerpc 3.0 on an error has an HTTP status of its own', async () => {
  const call = (method: string, more: Json = {}) => post({ method, params: [{ ripplerpc: '3.0', ...more }] });
  expect((await call('tx', { transaction: 'AB'.repeat(32) })).status).toBe(404);
  expect((await call('nonsense')).status).toBe(405);
  expect((await call('ping')).status).toBe(200);
});

test('a batch answers every call in its place', async () => {
  const params = [
    { method: 'ping', id: 1 },
    { method: 'nonsense', ripplerpc: '2.0' },
    { method: 'ledger', ledger_index: 1, api_version: 9 },
    { id: 4 },
    'text',
  ];
  const { status, body } = await post({ method: 'batch', params });
  expect(status).toBe(200);
  expect(body).toEqual([
    { id: 1, result: { role: 'admin', unlimited: true, status: 'success' } },
    { ripplerpc: '2.0', error: expect.objectContaining({ error: 'unknownCmd', code: 32 }) },
    { ...(params[2] as Json), error: { code: -32606, message: 'invalid_API_version' } },
    { id: 4, error: { code: -32601, message: 'Null method' } },
    { request: 'text', error: { code: -32601, message: 'Method not found' } },
  ]);
  expect(await post({ method: 'batch', params: {} })).toEqual({
    status: 400,
    body: 'Malformed batch request',
  });
});

test('admin commands are forbidden to everybody else', async () => {
  for (const method of ['ledger_accept', 'wallet_propose'])
    expect(await post({ method }, '192.0.2.1')).toEqual({ status: 403, body: 'Forbidden' });
  const secret = { method: 'sign', params: [{ secret: 'masterpassphrase', tx_json: {} }] };
  expect((await post(secret, '192.0.2.1')).body).toMatchObject({ result: { error: 'notSupported' } });
});

test('server_info and server_state show load and host as a standalone server does', async () => {
  const shown = await testLedger({ hostId: 'tester', ports: [{ port: '51233', protocol: ['wss'] }] });
  try {
    const { info } = await shown.rpc('server_info');
    expect(info).toMatchObject({
      hostid: 'tester',
      load_factor: 1,
      last_close: { converge_time_s: 0.1, proposers: 0 },
      ports: [{ port: '51233', protocol: ['wss'] }],
      validator_list: { count: 0, expiration: 'unknown', status: 'unknown' },
    });
    expect(info).not.toHaveProperty('load_factor_server');
    const { state } = await shown.rpc('server_state');
    expect(state).toMatchObject({ last_close: { converge_time: 100 }, validator_list_expires: 0 });
    expect(state).not.toHaveProperty('hostid');
    shown.knobs.loadFactor(3);
    const busy = await shown.rpc('server_info');
    expect(busy.info).toMatchObject({ load_factor: 3, load_factor_local: 3 });
  } finally {
    await shown.close();
  }
});
