import { get, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { earlyServer, type Listener } from '../../src/http/server.ts';
import { until } from '../support/until.ts';

async function listening() {
  const { server, serve } = earlyServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { server, serve, url: `http://127.0.0.1:${portOf(server)}` };
}

const portOf = (server: Server) => (server.address() as { port: number }).port;

/** Answers with the path, and closes upgrades with it. */
function echo(): Listener & { served: string[] } {
  const served: string[] = [];
  return {
    served,
    request(request, response) {
      served.push(`${request.method} ${request.url}`);
      response.end(request.url);
    },
    upgrade(request, socket) {
      served.push(`upgrade ${request.url}`);
      socket.end(`HTTP/1.1 426 Upgrade Required\r\n\r\n${request.url}`);
    },
  };
}

/** Until the connection is closed. */
const raw = (server: Server, message: string) =>
  text(
    connect(portOf(server), '127.0.0.1', function (this: Socket) {
      this.write(message);
    }),
  );

test('the health check is answered before the program is loaded, as afterwards', async () => {
  const { serve, url } = await listening();
  const early = await fetch(`${url}/healthcheck?probe=1`);
  expect([early.status, early.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await early.json()).toEqual({ status: 'UP' });
  const listener = echo();
  serve(listener);
  expect(await (await fetch(`${url}/healthcheck`)).text()).toBe('/healthcheck');
});

test('any other request and every upgrade wait until the program is loaded', async () => {
  const { server, serve, url } = await listening();
  const listener = echo();
  const request = fetch(`${url}/v1/vasps`, { method: 'POST', body: 'text' });
  const otherMethod = fetch(`${url}/healthcheck`, { method: 'DELETE' });
  const noHost = raw(server, 'GET /healthcheck HTTP/1.1\r\nConnection: close\r\n\r\n');
  const upgrade = raw(
    server,
    'GET /devnet/xrpl HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  await until(() => connectionsOf(server).then(count => count === 4));
  await fetch(`${url}/healthcheck`);
  expect(listener.served).toEqual([]);
  serve(listener);
  expect(await (await request).text()).toBe('/v1/vasps');
  expect(await (await otherMethod).text()).toBe('/healthcheck');
  expect(await noHost).toContain('/healthcheck');
  expect(await upgrade).toContain('426');
  expect(listener.served.toSorted()).toEqual([
    'DELETE /healthcheck',
    'GET /healthcheck',
    'POST /v1/vasps',
    'upgrade /devnet/xrpl',
  ]);
});

test('a request whose sender has gone is served no more', async () => {
  const { server, serve, url } = await listening();
  const listener = echo();
  const gone = get(`${url}/v1/vasps`).on('error', () => {});
  const stays = new Promise<IncomingMessage>(resolve => get(`${url}/v1/stays`, resolve));
  await until(() => connectionsOf(server).then(count => count === 2));
  gone.destroy();
  await until(() => connectionsOf(server).then(count => count === 1));
  serve(listener);
  await stays;
  expect(listener.served).toEqual(['GET /v1/stays']);
});

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
