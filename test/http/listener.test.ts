import { getEventListeners } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { asCaller } from '../../src/contract/tenancy.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { createListener, MAX_PIPELINED, MAX_UNANSWERED, type Served } from '../../src/http/listener.ts';
import { type HttpDeps, serve } from '../../src/http/serve.ts';
import { earlyServer } from '../../src/http/server.ts';
import { ownHosts } from '../../src/kernel/hosts.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { atOnce } from '../../src/kernel/turns.ts';
import { handshake, requestHead, sendRaw } from '../support/http/raw-socket.ts';
import { until } from '../support/until.ts';

/** A server without routes. */
async function listening(more: Partial<Served> = {}) {
  const app = new Hono();
  const listener = createListener(
    { fetch: app.fetch, upgrades: new Map(), ...more },
    ownHosts({ host: '127.0.0.1', hosts: [], publicUrl: undefined }),
    silentLog,
  );
  const { server, serve: serveWith } = earlyServer();
  serveWith(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('nothing of an ended WebSocket stays with the signal of its key', async () => {
  const over = new AbortController().signal;
  const upgrade = async (_: unknown, socket: Duplex) => void socket.end('HTTP/1.1 101 Hello\r\n\r\n');
  const { url } = await listening({
    upgrades: new Map([['/socket', upgrade]]),
    admitUpgrade: () => ({
      over,
      access: 'everything',
      owner: '',
      turns: atOnce,
      beforeSending() {},
      faultOn: () => undefined,
    }),
  });
  const { port, host } = new URL(url);
  for (let n = 0; n < 3; n++) expect((await sendRaw(Number(port), handshake('/socket', host))).status).toBe(101);
  await until(() => getEventListeners(over, 'abort').length === 0);
});

test('a request whose sender has hung up leaves the queue, so nobody fills it', async () => {
  let [waiting, served] = [0, 0];
  const { url } = await listening({
    fetch: () => {
      served++;
      return new Response('');
    },
    senderOf: () => ({ owner: 'a' }),
    inTurn() {
      waiting++;
      return () => void waiting--;
    },
  });
  const requests = Array.from({ length: 20 }, () => get(url, { agent: new Agent() }));
  for (const request of requests) request.on('error', () => {});
  await until(() => waiting === requests.length);
  for (const request of requests) request.destroy();
  await until(() => waiting === 0);
  expect(served).toBe(0);
});

test('a connection with too many requests before the answers gets an answer for each of the first, and is closed', async () => {
  let served = 0;
  const fetch = async () => {
    served++;
    await new Promise(resolve => setTimeout(resolve, 20));
    return new Response('ok');
  };
  const { url } = await listening({ fetch });
  const { port, host } = new URL(url);
  const head = requestHead('GET', '/', { Host: host });
  const statusesOf = async (count: number) => {
    const { text } = await sendRaw(Number(port), head.repeat(count), { quietMs: 500 });
    return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  };
  expect(await statusesOf(MAX_PIPELINED)).toEqual(Array(MAX_PIPELINED).fill('200'));
  served = 0;
  expect(await statusesOf(MAX_PIPELINED * 10)).toEqual([...Array(MAX_PIPELINED).fill('200'), '429']);
  expect(served).toBe(MAX_PIPELINED);
});

test('B3: of thousands of requests in one write no more is read than what has come already', async () => {
  let begun = 0;
  const { server, serve: serveWith } = earlyServer();
  server.on('request', () => begun++);
  const hosts = ownHosts({ host: '127.0.0.1', hosts: [], publicUrl: undefined });
  serveWith(createListener({ fetch: () => new Promise(() => {}), upgrades: new Map() }, hosts, silentLog));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Filler: ${'x'.repeat(400)}\r\n\r\n`;
  await sendRaw(port, head.repeat(3_000), { quietMs: 5_000 });
  // Node.js reads 64 KiB at once.
  expect(begun).toBeGreaterThan(MAX_UNANSWERED);
  expect(begun).toBeLessThan(1_000);
});

test('a connection may carry any number of requests one after the other', async () => {
  const { url } = await listening({ fetch: () => new Response('ok') });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const status = () =>
    new Promise(resolve => {
      get(url, { agent }, answer => void answer.resume().on('end', () => resolve(answer.statusCode)));
    });
  for (let sent = 0; sent < MAX_PIPELINED * 3; sent++) expect(await status()).toBe(200);
});

test.each(['Host', 'host'])('a request with the header %s twice is refused', async name => {
  const { url } = await listening({ fetch: () => new Response('ok') });
  const { port, host } = new URL(url);
  const request = (second: string) =>
    `GET / HTTP/1.1\r\nHost: ${host}\r\n${name}: ${second}\r\nConnection: close\r\n\r\n`;
  for (const second of [host, 'evil.example']) {
    const { status, text } = await sendRaw(Number(port), request(second));
    expect([status, text]).toEqual([400, expect.stringContaining('The header `Host` should come once.')]);
  }
});

test.each([
  ['GET /readyz HTTP/1.0', 200],
  ['HEAD /healthcheck?probe=1 HTTP/1.0', 200],
  ['GET /v1/vasps/self HTTP/1.0', 400],
  ['GET /readyz HTTP/1.1', 400],
])('D-41: without a host, %s gets %i: `option httpchk` of HAProxy asks so', async (line, expected) => {
  const { url } = await listening({ fetch: () => new Response('ok') });
  const { status } = await sendRaw(Number(new URL(url).port), `${line}\r\nConnection: close\r\n\r\n`);
  expect(status).toBe(expected);
});

test('a body in many tiny chunks is refused after the first thousand, and one in larger chunks is not', async () => {
  const { url } = await listening({ fetch: () => new Response('ok') });
  const { port, host } = new URL(url);
  const head = requestHead('POST', '/', { Host: host, 'Transfer-Encoding': 'chunked', Connection: 'close' });
  const chunks = (bytes: number, count: number) =>
    `${bytes.toString(16)};note\r\n${'x'.repeat(bytes)}\r\n`.repeat(count);
  const tiny = await sendRaw(Number(port), head + chunks(1, 50_000), { quietMs: 30_000 });
  expect([tiny.status, tiny.text]).toEqual([413, expect.stringContaining('too many chunks of a few bytes')]);
  const larger = await sendRaw(Number(port), `${head}${chunks(300, 800)}0\r\n\r\n`);
  expect([larger.status, larger.text]).toEqual([200, expect.stringContaining('ok')]);
});

test('a call is recorded with the time of its arrival, however long it waits for its turn', async () => {
  const WAIT_MS = 200;
  const NOW = 1_800_000_000_000;
  const recorded: Exchange[] = [];
  const deps: HttpDeps = {
    callerOf: () => ({ caller: { role: 'local', vaspId: asCaller('1') }, address: '' }),
    exchanges: { position: () => 0, record: (exchange: Exchange) => void recorded.push(exchange) },
    onServed() {},
    now: () => NOW,
    random: systemRandom,
    log: silentLog,
  };
  const app = new Hono().get('/', c =>
    serve(
      c,
      {
        operation: 'list-vasps',
        method: 'GET',
        path: '/',
        summary: '',
        access: 'everybody',
        response: z.object({}),
        run: () => ({}),
      },
      deps,
    ),
  );
  const { url } = await listening({
    fetch: app.fetch,
    senderOf: () => ({ owner: '1' }),
    inTurn(_, begin) {
      const timer = setTimeout(begin, WAIT_MS);
      return () => clearTimeout(timer);
    },
  });
  expect((await fetch(url)).status).toBe(200);
  const [{ at, durationMs }] = recorded as [Exchange];
  expect(durationMs).toBeGreaterThanOrEqual(WAIT_MS - 5);
  expect(NOW - at).toBeGreaterThanOrEqual(WAIT_MS - 5);
  expect(NOW - at).toBeLessThanOrEqual(durationMs);
});
