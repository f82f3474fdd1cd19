import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { TESTER } from '../../src/devnet/access.ts';
import type { Gateway } from '../../src/devnet/ethereum/gateway.ts';
import { ethereumSockets } from '../../src/devnet/ethereum/subscriptions.ts';
import { silentLog } from '../../src/kernel/log.ts';

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const HOST = '127.0.0.1';

/** Every call of a client is a subscription. */
const gateway = {
  answerFrame: (frame: string, { subscribe }: Parameters<Gateway['answerFrame']>[1]) => subscribe(JSON.parse(frame)),
} as Gateway;

test('a node that does not answer a subscription in time loses its connection with the client', async () => {
  const node = new WebSocketServer({ port: 0, host: HOST });
  const server = createServer().listen(0, HOST);
  await Promise.all([once(node, 'listening'), once(server, 'listening')]);
  const sockets = ethereumSockets(`http://${HOST}:${portOf(node)}`, gateway, silentLog);
  server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, TESTER));
  onTestFinished(() => {
    server.close();
    node.close();
  });
  const client = new WebSocket(`ws://${HOST}:${portOf(server)}`);
  await once(client, 'open');
  const reached = once(node, 'connection');
  client.send(JSON.stringify({ id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
  const [ofNode] = (await reached) as [WebSocket];
  const [answer] = await once(client, 'message');
  expect(String(answer)).toContain('does not answer now');
  client.close();
  if (ofNode.readyState === WebSocket.OPEN) await once(ofNode, 'close');
  await sockets.close();
});
