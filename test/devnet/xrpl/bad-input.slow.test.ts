import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  accountOf,
  genesis,
  type Json,
  payment,
  signed,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger({ listen: { host: '127.0.0.1', port: 0 } });
});
afterAll(() => ledger.close());

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(String(ledger.url));
  await once(socket, 'open');
  return socket;
}
async function ask(socket: WebSocket, frame: string | Buffer): Promise<Json> {
  const answer = once(socket, 'message');
  socket.send(frame);
  const [data] = await answer;
  return JSON.parse(String(data));
}
const alive = async () => expect(await ledger.rpc('ping')).toMatchObject({ status: 'success' });

test('frames that are no command are answered with an error, and the connection goes on', async () => {
  const socket = await open();
  for (const frame of [
    '',
    '{',
    '[]',
    'null',
    '7',
    '"x"',
    '\u0000',
    Buffer.from([0xff, 0xfe, 0x00]),
    Buffer.alloc(1000, 0x7b),
    '{"id":1,"command":"ping","command":"fee"}',
    '{"command":"submit","tx_json":{"Amount":"1","Amount":"2"}}',
  ])
    expect(await ask(socket, frame)).toMatchObject({ type: 'error', error: 'jsonInvalid' });
  expect(await ask(socket, '{}')).toMatchObject({ type: 'response', status: 'error', error: 'missingCommand' });
  expect(await ask(socket, '{"id":{"a":1},"command":7}')).toMatchObject({ id: { a: 1 }, error: 'missingCommand' });
  expect(await ask(socket, '{"id":1,"command":"ping","method":"fee"}')).toMatchObject({ error: 'missingCommand' });
  expect(await ask(socket, '{"id":1,"command":"ping","api_version":9}')).toMatchObject({
    error: 'invalid_API_version',
  });
  expect(await ask(socket, Buffer.from('{"id":1,"command":"ping"}'))).toMatchObject({ id: 1, status: 'success' });
  expect(await ask(socket, '{"id":1,"command":"__proto__"}')).toMatchObject({ error: 'unknownCmd', error_code: 32 });
  socket.close();
});

test('a frame of 1 MiB is refused; one that is larger by far ends its connection', async () => {
  const socket = await open();
  const frame = JSON.stringify({ command: 'ping', filler: 'x'.repeat(1024 * 1024) });
  const refused = await ask(socket, frame);
  expect(refused).toMatchObject({ type: 'error', error: 'jsonInvalid' });
  expect(String(refused.value).length).toBeLessThan(1_000);
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.send('x'.repeat(8 * 1024 * 1024));
  expect((await closed)[0]).toBe(1009);
  await alive();
});

test('XRPL-1.3 submit: what is no transaction is an error with its reason, never a crash', async () => {
  const good = signed(payment(genesis, accountOf('x'), XRP, { Fee: '10', Sequence: 1, NetworkID: 21_117 }), genesis);
  for (const tx_blob of ['', 'XY', undefined, 7, null])
    expect(await ledger.rpc('submit', { tx_blob })).toMatchObject({ error: 'invalidParams', error_code: 31 });
  const mangled = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 400 }).map(bytes => Buffer.from(bytes).toString('hex')),
    fc.nat(good.length / 2 - 1).map(n => good.slice(0, n * 2 + 2).slice(0, -2) || 'AB'),
    fc
      .tuple(fc.nat(good.length - 1), fc.constantFrom(...'0123456789ABCDEF'))
      .map(([at, to]) => good.slice(0, at) + to + good.slice(at + 1)),
    fc.nat(9_000).map(n => 'E0F1'.repeat(n + 10)),
  );
  await fc.assert(
    fc.asyncProperty(mangled, async tx_blob => {
      if (tx_blob === good) return;
      const answer = await ledger.rpc('submit', { tx_blob });
      expect(answer).toMatchObject({ error: 'invalidTransaction', error_exception: expect.any(String) });
      expect(answer).not.toHaveProperty('engine_result');
    }),
    { numRuns: 400 },
  );
});

test('parameters of any kind are answered by every command, with a result or with an error that has a name', async () => {
  const commands = [
    'account_info',
    'account_tx',
    'account_objects',
    'account_lines',
    'ledger',
    'ledger_entry',
    'tx',
    'submit',
    'subscribe',
    'fee',
    'server_state',
    'ledger_closed',
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('current', 'validated', genesis.address, 'AB'.repeat(32), -1, 2),
  );
  const names = [
    'account',
    'ledger_index',
    'ledger_hash',
    'ledger_index_min',
    'ledger_index_max',
    'limit',
    'marker',
    'binary',
    'forward',
    'transaction',
    'ctid',
    'min_ledger',
    'max_ledger',
    'index',
    'account_root',
    'ticket',
    'tx_blob',
    'fail_hard',
    'streams',
    'accounts',
    'queue',
    'signer_lists',
    'transactions',
    'expand',
  ];
  const params = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...commands),
      params,
      fc.constantFrom(1, 2),
      async (command, given, api_version) => {
        const result = await ledger.rpc(command, { ...given, api_version });
        if (result.status === 'error') expect(result.error).toMatch(/^[a-z]\w+$/i);
        else expect(result.status).toBe('success');
        expect(result.error).not.toBe('internal');
      },
    ),
    { numRuns: 1_500 },
  );
});

test('1,000 idle connections do not keep anybody else waiting', async () => {
  const idle = await Promise.all(Array.from({ length: 1_000 }, open));
  const socket = await open();
  expect(await ask(socket, '{"id":1,"command":"ping"}')).toMatchObject({ status: 'success' });
  ledger.controls.close();
  for (const each of [...idle, socket]) each.terminate();
}, 30_000);

test('a client that never reads is cut off before it fills the memory', async () => {
  const { port, hostname } = new URL(String(ledger.url));
  const raw = connect(Number(port), hostname);
  await once(raw, 'connect');
  raw.write(
    `GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  );
  await once(raw, 'data');
  raw.pause();
  raw.on('error', () => {});
  const closed = new Promise(resolve => raw.once('close', resolve));
  const request = maskedFrame(
    JSON.stringify({ command: 'server_info', filler: 'x'.repeat(50_000), api_version: 'bad' }),
  );
  let sent = 0;
  while (!raw.destroyed) {
    sent += request.length;
    const drained = raw.write(request) || new Promise(resolve => raw.once('drain', resolve));
    await Promise.race([closed, drained]);
    await new Promise(setImmediate);
  }
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  raw.destroy();
  await closed;
  await alive();
}, 30_000);

function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(14);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 127, 1);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

test('XRPL-1.3 JSON-RPC: what cannot be parsed is HTTP 400 with the reason as text', async () => {
  const post = async (body: string) => {
    const response = await fetch(String(ledger.url).replace('ws', 'http'), { method: 'POST', body });
    return [response.status, (await response.text()).trim()];
  };
  expect(await post('{')).toEqual([400, expect.stringMatching(/^Unable to parse request: /)]);
  for (const twice of [
    '{"method":"ping","method":"fee"}',
    '{"method":"account_info","params":[{"account":"a","account":"b"}]}',
    '{"method":"ping","params":[{"id":1,"id":2}]}',
  ])
    expect(await post(twice)).toEqual([400, expect.stringMatching(/ a member twice$/)]);
  expect(await post('{"method":null,"params":[]}')).toEqual([400, 'Null method']);
  expect(await post('{"method":"ping","params":[1]}')).toEqual([400, 'params unparsable']);
  expect(await post('{"method":"ping","params":[{},{}]}')).toEqual([400, 'params unparsable']);
  expect(await post('{"method":"ping","params":"x"}')).toEqual([400, 'params unparsable']);
  expect(await post('{"method":"ping"}')).toEqual([200, expect.stringContaining('"status":"success"')]);
  expect((await post(`{"method":"ping","params":[{"x":"${'x'.repeat(3_000_000)}"}]}`))[0]).toBe(400);
  await alive();
});

test('JSON-RPC echoes its ids, and an error is a result', async () => {
  const post = async (body: object) => {
    const url = String(ledger.url).replace('ws', 'http');
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
  };
  const ids = { jsonrpc: '2.0', id: 7 };
  expect(await post({ method: 'foo', params: [{}], ...ids })).toMatchObject({
    ...ids,
    result: { error: 'unknownCmd', status: 'error', request: { command: 'foo' } },
  });
});

test('an admin command from another machine is refused: forbidden, over HTTP 403', async () => {
  const request = new Request('http://ledger/', { method: 'POST', body: '{"method":"ledger_accept","params":[{}]}' });
  const answer = await ledger.handleRequest(request, { remoteAddress: '192.0.2.7' });
  expect([answer.status, (await answer.text()).trim()]).toEqual([403, 'Forbidden']);
});

/** The codec needs the cube of the depth: a few hundred bytes would stop the ledger for minutes. */
test.each(['F9', 'EA', 'F9EA'])('a blob of %s inside one another is refused at once', async nested => {
  const tx_blob = nested.repeat(2_000);
  const since = performance.now();
  expect(await ledger.rpc('submit', { tx_blob })).toMatchObject({ error: 'invalidTransaction' });
  expect(await ledger.rpc('simulate', { tx_blob })).toMatchObject({ error: 'invalidParams' });
  expect(performance.now() - since).toBeLessThan(5_000);
});
