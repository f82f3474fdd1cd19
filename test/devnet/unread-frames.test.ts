import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { sendFrame, socketServer } from '../../src/devnet/frames.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const READERS = 24;
const FRAME = 'x'.repeat(2 * MIB);
const FRAMES = 4;

test('connections that read nothing hold little together, and those that read stay', async () => {
  const server = socketServer();
  const served: WebSocket[] = [];
  const http = createServer().on('upgrade', (request, socket, head) =>
    server.upgrade({ request, socket, head, access: 'everything' }, client => void served.push(client)),
  );
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  onTestFinished(async () => {
    for (const client of served) client.terminate();
    http.close();
  });
  const open = () =>
    new Promise<WebSocket>(resolve => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      socket.on('error', () => {});
      socket.once('open', () => resolve(socket));
    });
  const reader = await open();
  let read = 0;
  reader.on('message', () => {
    read++;
  });
  for (let n = 0; n < READERS; n++) (await open()).pause();
  await until(() => served.length === READERS + 1);
  const unread = () =>
    served.reduce(
      (sum, { bufferedAmount, readyState }) => sum + (readyState === WebSocket.OPEN ? bufferedAmount : 0),
      0,
    );
  let most = 0;
  for (let n = 0; n < FRAMES; n++) {
    for (const client of served) {
      sendFrame(client, FRAME);
      most = Math.max(most, unread());
    }
    await until(() => read === n + 1);
  }
  expect(most).toBeLessThan(80 * MIB);
  expect(served.filter(({ readyState }) => readyState !== WebSocket.OPEN).length).toBeGreaterThan(0);
  expect(served[0]!.readyState).toBe(WebSocket.OPEN);
});

test('the frames that one turn sends to a connection leave in one write, in their order', async () => {
  const server = socketServer();
  let writes = 0;
  const served = new Promise<WebSocket>(resolve => {
    const http = createServer().on('upgrade', (request, socket, head) => {
      const { _write: write, _writev: writev } = socket;
      socket._write = (...chunk) => {
        writes += 1;
        return write.apply(socket, chunk);
      };
      socket._writev = (...chunks) => {
        writes += 1;
        return writev?.apply(socket, chunks);
      };
      server.upgrade({ request, socket, head, access: 'everything' }, resolve);
    });
    http.listen(0, '127.0.0.1', () => client(http.address() as { port: number }));
    onTestFinished(() => void http.close());
  });
  const received: string[] = [];
  const client = ({ port }: { port: number }) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    socket.on('message', data => received.push(String(data)));
    onTestFinished(() => socket.terminate());
  };
  const connection = await served;
  const texts = Array.from({ length: 50 }, (_, n) => `block ${n}`);
  writes = 0;
  for (const text of texts) sendFrame(connection, text);
  await until(() => received.length === texts.length);
  expect(received).toEqual(texts);
  expect(writes).toBe(1);
});
