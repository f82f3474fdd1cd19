import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createListener } from '../../src/http/listener.ts';
import { earlyServer } from '../../src/http/server.ts';
import { answerUnreadable } from '../../src/http/unreadable.ts';
import { ownHosts } from '../../src/kernel/hosts.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { handshake, requestHead, sendRaw } from '../support/http/raw-socket.ts';

const HOST = '127.0.0.1';

/** `fetch`: default an answer at once. */
async function listening(fetch = async () => new Response('ok')) {
  const { server, serve } = earlyServer();
  const upgrades = new Map([['/socket', async () => {}]]);
  const hosts = ownHosts({ host: HOST, hosts: [], publicUrl: undefined });
  serve(createListener({ fetch, upgrades }, hosts, silentLog));
  await new Promise<void>(resolve => server.listen(0, HOST, resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

const statusesOf = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => Number(each));
const chunked = (chunks: string) => requestHead('POST', '/v1', { Host: HOST, 'Transfer-Encoding': 'chunked' }) + chunks;
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

test.each([
  ['a method that nobody knows', requestHead('FOO', '/', { Host: HOST }), 400, 'BAD-REQUEST'],
  ['a method in small letters', requestHead('get', '/', { Host: HOST }), 400, 'BAD-REQUEST'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'BAD-REQUEST'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n', 400, 'BAD-REQUEST'],
  [
    'two lengths',
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na`,
    400,
    'BAD-REQUEST',
  ],
  ['a chunk without a size', chunked('zz\r\n'), 400, 'BAD-REQUEST'],
  [
    'a chunk without a size, of a request that is refused for its host',
    `${requestHead('POST', '/v1', { Host: 'a', 'Transfer-Encoding': 'chunked' })}zz\r\n`,
    421,
    'MISDIRECTED-REQUEST',
  ],
  ['a chunk longer than its size', chunked('1\r\naaaa\r\n'), 400, 'BAD-REQUEST'],
  ['chunk extensions over the limit', chunked(`1;${'a'.repeat(20_000)}\r\na\r\n`), 413, 'PAYLOAD-TOO-LARGE'],
  ['a target over the limit', requestHead('GET', `/${'a'.repeat(20_000)}`, { Host: HOST }), 431, 'HEADERS-TOO-LARGE'],
  ['headers over the limit', requestHead('GET', '/', { Host: HOST, A: 'a'.repeat(20_000) }), 431, 'HEADERS-TOO-LARGE'],
  [
    'an expectation that nobody knows',
    requestHead('GET', '/', { Host: HOST, Expect: 'foo' }),
    417,
    'EXPECTATION-FAILED',
  ],
  [
    'the announcement of a body over the limit',
    requestHead('POST', '/v1', { Host: HOST, Expect: '100-continue', 'Content-Length': '300000' }),
    413,
    'PAYLOAD-TOO-LARGE',
  ],
  ['a tunnel', requestHead('CONNECT', 'example.org:443', { Host: HOST }), 405, 'METHOD-NOT-ALLOWED'],
  ['another WebSocket version', handshake('/socket', HOST, { 'Sec-WebSocket-Version': '7' }), 400, 'BAD-REQUEST'],
  ['a short WebSocket key', handshake('/socket', HOST, { 'Sec-WebSocket-Key': 'short' }), 400, 'BAD-REQUEST'],
  ['a WebSocket protocol twice', handshake('/socket', HOST, { 'Sec-WebSocket-Protocol': 'a, a' }), 400, 'BAD-REQUEST'],
  ['a WebSocket by POST', handshake('/socket', HOST).replace('GET', 'POST'), 405, 'METHOD-NOT-ALLOWED'],
])(
  'D-05: %s is answered in the form of the reference, once, and the connection ends',
  async (_, bytes, status, code) => {
    const port = await listening();
    const { text: answer } = await sendRaw(port, bytes, { quietMs: 5_000 });
    expect(statusesOf(answer)).toEqual([status]);
    expect(answer).toMatch(/^content-type: application\/json/im);
    expect(answer).toMatch(/^connection: close/im);
    expect(bodyOf(answer)).toEqual({ code, message: expect.stringMatching(/^.+\.$/) });
  },
);

test('a body that is announced is asked for', async () => {
  const head = { Host: HOST, Expect: '100-continue', 'Content-Length': '1', Connection: 'close' };
  const { text: answers } = await sendRaw(await listening(), `${requestHead('POST', '/', head)}a`);
  expect(statusesOf(answers)).toEqual([100, 200]);
});

test('a broken request waits for the answer to the one before it', async () => {
  const port = await listening(async () => {
    await new Promise(resolve => setTimeout(resolve, 50));
    return new Response('first');
  });
  const { text: answers } = await sendRaw(port, `${requestHead('GET', '/', { Host: HOST })}FOO / HTTP/1.1\r\n\r\n`);
  expect(statusesOf(answers)).toEqual([200, 400]);
  expect(answers.indexOf('first')).toBeLessThan(answers.indexOf('BAD-REQUEST'));
});

test('a broken request behind an answer that is under way adds nothing to it', async () => {
  const endless = new ReadableStream({ start: stream => stream.enqueue(new TextEncoder().encode('begun')) });
  const port = await listening(async () => new Response(endless));
  const socket = connect(port, HOST, () => socket.write(requestHead('GET', '/', { Host: HOST })));
  socket.once('data', () => socket.write('FOO / HTTP/1.1\r\n\r\n')).on('error', () => {});
  expect(statusesOf(await text(socket).catch(() => ''))).not.toContain(400);
});

test('a sender that has closed its side, or goes on without reading, neither stops the program nor keeps its socket', async () => {
  const port = await listening();
  const half = connect({ port, host: HOST, allowHalfOpen: true }, () => half.end('FOO / HTTP/1.1\r\n\r\n'));
  expect(statusesOf(await text(half))).toEqual([400]);
  const gone = connect(port, HOST, () => {
    gone.write('FOO / HTTP/1.1\r\n\r\n', () => gone.resetAndDestroy());
  }).on('error', () => {});
  const deaf = connect(port, HOST).on('error', () => {});
  const writing = setInterval(() => deaf.write('FOO / HTTP/1.1\r\n\r\n'.repeat(1_000)), 5);
  await new Promise(resolve => deaf.once('close', resolve));
  clearInterval(writing);
  expect((await fetch(`http://${HOST}:${port}/`)).status).toBe(200);
});

/** A server with short limits, and a connection that it has accepted. */
async function connected() {
  const server = createServer(
    { headersTimeout: 2_000, requestTimeout: 3_000, connectionsCheckingInterval: 100 },
    (request, response) => request.resume().once('end', () => response.end('served')),
  );
  answerUnreadable(server);
  await once(server.listen(0, HOST), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, HOST);
  await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
  return { server, socket };
}
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const HEAD = requestHead('POST', '/', { Host: HOST, 'Content-Length': '3', Connection: 'close' });

test('D-05: a request that arrived while the program stood still is not late', async () => {
  const { socket } = await connected();
  socket.write(`${HEAD}abc`);
  standStill(2_500);
  expect(statusesOf(await text(socket))).toEqual([200]);
});

test('D-05: the rest of a body that arrived while the program stood still is not late', async () => {
  const { server, socket } = await connected();
  socket.write(`${HEAD}a`);
  await once(server, 'request');
  socket.write('bc');
  standStill(3_500);
  expect(statusesOf(await text(socket))).toEqual([200]);
});

test('D-05: a body that does not arrive is late, also where its headers arrived while the program stood still', async () => {
  const { socket } = await connected();
  socket.write(`${HEAD}a`);
  standStill(2_500);
  const answer = await text(socket);
  expect(statusesOf(answer)).toEqual([408]);
  expect(bodyOf(answer)).toMatchObject({ code: 'REQUEST-TIMEOUT' });
});
