import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { TESTER } from '../../src/devnet/access.ts';
import type { Gateway } from '../../src/devnet/ethereum/gateway.ts';
import { ethereumSockets } from '../../src/devnet/ethereum/subscriptions.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { until } from '../support/until.ts';

const HOST = '127.0.0.1';
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

test('a subscription whose turn comes after its client has gone opens no connection to the node', async () => {
  const node = new WebSocketServer({ port: 0, host: HOST });
  const server = createServer().listen(0, HOST);
  await Promise.all([once(node, 'listening'), once(server, 'listening')]);
  let connections = 0;
  node.on('connection', socket => {
    connections++;
    socket.on('message', data => socket.send(JSON.stringify({ id: JSON.parse(String(data)).id, result: '0x1' })));
  });
  const events = new EventEmitter<{ gone: []; answered: [] }>();
  const isAnswered = once(events, 'answered');
  const gateway = {
    async answerFrame(frame: string, { subscribe }: Parameters<Gateway['answerFrame']>[1]) {
      await once(events, 'gone');
      const answer = await subscribe(JSON.parse(frame));
      events.emit('answered');
      return answer;
    },
  } as Gateway;
  const sockets = ethereumSockets(`http://${HOST}:${portOf(node)}`, gateway, silentLog);
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, TESTER);
    // The WebSocket closes after its socket.
    socket.once('close', () => setTimeout(() => events.emit('gone'), 100));
  });
  onTestFinished(async () => {
    for (const socket of node.clients) socket.terminate();
    await sockets.close();
    server.close();
    node.close();
  });
  const client = new WebSocket(`ws://${HOST}:${portOf(server)}`);
  await once(client, 'open');
  client.send(JSON.stringify({ id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
  await new Promise(resolve => client.ping('', true, resolve));
  client.once('pong', () => client.terminate());
  await isAnswered;
  await until(() => node.clients.size === 0);
  expect(connections).toBe(0);
});
