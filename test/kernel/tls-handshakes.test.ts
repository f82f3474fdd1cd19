import { createDiffieHellmanGroup } from 'node:crypto';
import { once } from 'node:events';
import { createServer as httpsServer } from 'node:https';
import { type AddressInfo, type Server, type Socket, createServer as tcpServer } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ConnectionState, httpClient } from '../../src/kernel/http-client.ts';
import { chainOf, LONGEST_CHAIN, SELF_SIGNED } from '../support/vasp/certificates.mjs';

/** A server chooses the key exchange, and this thread computes it. One of a finite field takes 180 to 320 ms of it. */

const client = httpClient({ connections: 1, maxAnswerBytes: 1_000, idleMs: 1_000 });
const extra = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
beforeAll(() => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
});
afterAll(() => {
  if (extra === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = extra;
  client.destroy();
});

async function serverWith(options: TlsOptions): Promise<string> {
  const server = createServer({ ...SELF_SIGNED, ...options }, socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const call = (url: string) => client.call(url, { method: 'GET', headers: {} }, { timeoutMs: 10_000 });

/** The parameters as PEM: SEQUENCE { p INTEGER, g INTEGER }. */
function dhParameters(group: string): string {
  const integer = (bytes: Buffer) => tagged(2, Buffer.concat([Buffer.from([0]), bytes]));
  const prime = createDiffieHellmanGroup(group).getPrime();
  const der = tagged(0x30, Buffer.concat([integer(prime), integer(Buffer.from([2]))]));
  return `-----BEGIN DH PARAMETERS-----\n${der.toString('base64')}\n-----END DH PARAMETERS-----\n`;
}
function tagged(tag: number, content: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  const size = content.length < 128 ? Buffer.from([content.length]) : Buffer.from([0x82, ...length]);
  return Buffer.concat([Buffer.from([tag]), size, content]);
}

test.each([
  ['TLS 1.2, by its cipher', () => ({ dhparam: dhParameters('modp18'), ciphers: 'DHE', ...ONLY_1_2 })],
  ['TLS 1.3, by its group', () => ({ ecdhCurve: 'ffdhe8192' })],
])('a server that knows only finite fields (%s) is refused before anything is computed', async (_, options) => {
  const url = await serverWith(options());
  await expect(call(url)).rejects.toMatchObject({ code: expect.stringMatching(/^(EPROTO|ECONNRESET|ERR_SSL)/) });
});
const ONLY_1_2 = { maxVersion: 'TLSv1.2' } as const;

test.each([
  ['X25519', {}],
  ['P-256', {}],
  ['P-384', {}],
  ['P-521', {}],
  ['P-256', ONLY_1_2],
])('a server with %s %j is called', async (ecdhCurve, options) => {
  expect((await call(await serverWith({ ecdhCurve, ...options }))).status).toBe(200);
});

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each([
  ['60 certificates', () => serverWith(chainOf(60))],
  ['noise', () => addressOf(tcpServer(socket => socket.on('error', () => {}).write(Buffer.alloc(20_000, 7))))],
])(
  'a server that sends more than 16 KiB before the handshake is made (%s) is left before they are read',
  async (_, serve) => {
    await expect(call(await serve())).rejects.toMatchObject({ code: 'HANDSHAKE-TOO-LARGE' });
  },
);

test('a server with as many certificates as 16 KiB hold is called', async () => {
  expect((await call(await serverWith(LONGEST_CHAIN))).status).toBe(200);
});

test.each([
  ['stays open', 'keep-alive', 1],
  ['ends after each answer', 'close', 2],
])('a connection that %s: its states, and answers longer than a handshake may be', async (_, connection, made) => {
  const long = 'a'.repeat(200_000);
  const server = httpsServer(SELF_SIGNED, (_, response) => response.writeHead(200, { connection }).end(long));
  const url = await addressOf(server);
  const reader = httpClient({ connections: 1, maxAnswerBytes: 1_000_000, idleMs: 1_000 });
  onTestFinished(reader.destroy);
  const states: ConnectionState[] = [];
  const watch = { onConnection: (state: ConnectionState) => states.push(state) };
  for (let n = 0; n < 2; n++) {
    const { body } = await reader.call(url, { method: 'GET', headers: {} }, { timeoutMs: 10_000 }, watch);
    expect(body.length).toBe(long.length);
  }
  expect(states).toEqual(Array(made).fill(['begun', 'opened', 'made']).flat());
});

test('an unused connection that the server ends is closed', async () => {
  const server = httpsServer(SELF_SIGNED, (_, response) => response.end());
  const url = await addressOf(server);
  const sockets: Socket[] = [];
  const onSocket = (socket: Socket) => void sockets.push(socket);
  const reader = httpClient({ connections: 1, maxAnswerBytes: 1_000, idleMs: 60_000, onSocket });
  onTestFinished(reader.destroy);
  const repeated: string[] = [];
  const watch = { onRepeat: ({ code }: { code: string }) => void repeated.push(code) };
  const get = () => reader.call(url, { method: 'GET', headers: {} }, { timeoutMs: 10_000 }, watch);
  await get();
  const closed = once(sockets[0]!, 'close');
  server.closeIdleConnections();
  await closed;
  expect((await get()).status).toBe(200);
  expect([sockets.length, repeated]).toEqual([2, []]);
});
