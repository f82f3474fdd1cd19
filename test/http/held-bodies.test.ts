import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createListener } from '../../src/http/listener.ts';
import { earlyServer } from '../../src/http/server.ts';
import { ownHosts } from '../../src/kernel/hosts.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { requestHead, sendRaw } from '../support/http/raw-socket.ts';
import { until } from '../support/until.ts';

/** Bodies that are begun and never ended: each connection holds up to 256 KiB of this process. */

const MIB = 1024 * 1024;
const MOST = 128 * MIB;
const BODY = 256 * 1024;
/** The server closes the connection. */
const PATIENT = { quietMs: 30_000 };
const PART = 'x'.repeat(BODY - 1);

async function listening() {
  const { server, serve } = earlyServer();
  const received = new Set<Socket>();
  const senderOf = (request: IncomingMessage) => ({ owner: String(request.headers['x-owner']) });
  const fetch = async () => new Response('served');
  const hosts = ownHosts({ host: '127.0.0.1', hosts: [], publicUrl: undefined });
  serve(createListener({ fetch, upgrades: new Map(), senderOf }, hosts, silentLog));
  server.on('connection', socket => received.add(socket));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const open = () => [...received].filter(({ destroyed }) => !destroyed);
  return {
    port: (server.address() as { port: number }).port,
    open: () => open().length,
    bytes: () => open().reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  };
}

const headOf = (port: number, owner: string, length: number) =>
  requestHead('POST', '/', {
    Host: `127.0.0.1:${port}`,
    'X-Owner': owner,
    Connection: 'close',
    'Content-Length': String(length),
  });

function begin(port: number, owner: string, body: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  onTestFinished(() => void socket.destroy());
  socket.write(headOf(port, owner, BODY) + body);
  return socket;
}

test('above 128 MiB in all the owner who holds the most loses its longest ones, and others are served', async () => {
  const server = await listening();
  const modest = begin(server.port, 'modest', 'x'.repeat(200_000));
  const sockets = Math.ceil((1.5 * MOST) / BODY);
  for (let n = 0; n < sockets; n++) {
    begin(server.port, 'greedy', PART);
    if (n % 50 === 0) await until(() => server.open() >= Math.min(n, MOST / BODY - 2));
  }
  await until(() => server.open() < MOST / BODY + 3);
  expect(server.bytes()).toBeLessThan(MOST + 8 * MIB);
  expect(server.open()).toBeGreaterThan(MOST / BODY - 20);
  modest.write('x'.repeat(BODY - 200_000));
  const answer = new Promise<string>(resolve => modest.once('data', data => resolve(String(data))));
  expect(await answer).toContain('200 OK');
  const body = 'x'.repeat(1_000);
  expect((await sendRaw(server.port, headOf(server.port, 'another', 1_000) + body, PATIENT)).status).toBe(200);
});

test('what was answered is held no more', async () => {
  const { port } = await listening();
  for (let n = 0; n < (1.1 * MOST) / BODY; n += 32) {
    const sent = Array.from({ length: 32 }, () => sendRaw(port, `${headOf(port, 'one', BODY)}${PART}x`, PATIENT));
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  }
});
