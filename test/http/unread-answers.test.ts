import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createListener, MAX_PIPELINED } from '../../src/http/listener.ts';
import { closeUnread, earlyServer } from '../../src/http/server.ts';
import { ownHosts } from '../../src/kernel/hosts.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { requestHead } from '../support/http/raw-socket.ts';
import { until } from '../support/until.ts';

/** Readers that take nothing, or little, of answers of 12 MB: more than the sockets of both sides hold. */

const ANSWER = 'x'.repeat(12_000_000);
const UNREAD_MS = 1_000;

/** Without an owner: each connection has one of its own. */
async function listening(owner: string | undefined, unreadMs?: number) {
  let made = 0;
  const fetch = async () => {
    made++;
    return new Response(ANSWER);
  };
  const { server, serve } = earlyServer();
  if (unreadMs !== undefined) closeUnread(server, unreadMs);
  const senderOf = ({ socket }: IncomingMessage) => ({ owner: owner ?? String(socket.remotePort) });
  const hosts = ownHosts({ host: '127.0.0.1', hosts: [], publicUrl: undefined });
  serve(createListener({ fetch, upgrades: new Map(), senderOf }, hosts, silentLog));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as { port: number };
  const connections = () => new Promise<number>(resolve => server.getConnections((_, n) => resolve(n)));
  return { port, made: () => made, connections };
}

function asking(port: number, requests = 1): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(requestHead('GET', '/', { Host: `127.0.0.1:${port}` }).repeat(requests));
  return socket.pause();
}

const headOf = (socket: Socket) =>
  new Promise<string>(resolve => socket.once('data', data => resolve(String(data).split('\r\n')[0]!)).resume());

test('a connection holds one answer: the next request begins when it is read', async () => {
  const { port, made } = await listening('one');
  const socket = asking(port, MAX_PIPELINED);
  await until(() => made() === 1);
  const other = asking(port);
  expect(await headOf(other)).toBe('HTTP/1.1 200 OK');
  expect(made()).toBe(2);
  let read = 0;
  socket.on('data', data => {
    read += data.length;
  });
  socket.resume();
  await until(() => read > MAX_PIPELINED * ANSWER.length);
  expect(made()).toBe(1 + MAX_PIPELINED);
});

test('a caller who reads none of its answers gets no more of them, and others do', async () => {
  const { port, made } = await listening('one');
  const unread = [asking(port), asking(port)];
  await until(() => made() === unread.length);
  expect(await headOf(asking(port))).toBe('HTTP/1.1 429 Too Many Requests');
  expect(made()).toBe(unread.length);
  for (const socket of unread) socket.destroy();
  await until(async () => (await headOf(asking(port))) === 'HTTP/1.1 200 OK');
});

test('a connection whose reader takes nothing is closed, one whose reader is slow is not', async () => {
  const { port, made, connections } = await listening('one', UNREAD_MS);
  const silent = asking(port);
  const slow = asking(port);
  let read = 0;
  slow.on('data', data => {
    read += data.length;
    slow.pause();
    setTimeout(() => slow.resume(), 5);
  });
  slow.resume();
  await until(() => made() === 2);
  await until(() => read > ANSWER.length);
  await until(async () => (await connections()) === 1);
  let rest = 0;
  silent.on('data', data => {
    rest += data.length;
  });
  await new Promise(resolve => silent.once('close', resolve).resume());
  expect(rest).toBeLessThan(ANSWER.length);
});

test('of many callers who read nothing, more than 128 MiB together, those with the longest answers lose their connections', async () => {
  const { port, made, connections } = await listening(undefined);
  let opened = 0;
  const open = async () => {
    asking(port);
    opened += 1;
    await until(() => made() === opened);
  };
  const MOST = 128 * 1024 * 1024;
  // The sockets themselves hold some of it.
  while ((await connections()) === opened && opened * ANSWER.length < 3 * MOST) await open();
  expect(opened * ANSWER.length).toBeGreaterThan(MOST);
  for (let more = 0; more < 10; more++) await open();
  await until(async () => (await connections()) * ANSWER.length < 2 * MOST);
  expect(await headOf(asking(port))).toBe('HTTP/1.1 200 OK');
});
