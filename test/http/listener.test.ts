import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createListener, type Served } from '../../src/http/listener.ts';
import { earlyServer } from '../../src/http/server.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { ownHosts } from '../../src/kernel/own-hosts.ts';
import { atOnce } from '../../src/kernel/turns.ts';
import { handshake, sendRaw } from '../support/http/raw-socket.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';

/** A server whose path `/held` is answered when `held` opens, and the answers that were sent alone. */
async function listening(more: Partial<Served> = {}) {
  const held = gate();
  const comes = gate();
  const app = new Hono()
    .get('/', c => c.text('at once'))
    .post('/', async c => c.text(await c.req.text()))
    .get('/held', async c => {
      comes.open();
      await held.opened;
      return c.text('later');
    });
  const responses: ServerResponse[] = [];
  const alone: boolean[] = [];
  const listener = createListener(
    {
      fetch: app.fetch,
      upgrades: new Map(),
      onAnsweredAlone: () => void alone.push(responses.at(-1)!.writableEnded),
      ...more,
    },
    ownHosts({ host: '127.0.0.1', hosts: [], publicUrl: undefined }),
    silentLog,
  );
  const { server, serve } = earlyServer();
  serve({
    ...listener,
    request(request, response) {
      responses.push(response);
      listener.request(request, response);
    },
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { held, comes, alone, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a request that came alone is reported behind its answer', async () => {
  const { alone, url } = await listening();
  expect(await (await fetch(url)).text()).toBe('at once');
  expect(await (await fetch(url, { method: 'POST', body: 'text' })).text()).toBe('text');
  expect(alone).toEqual([true, true]);
});

test('nothing of an ended WebSocket stays with the signal of its key', async () => {
  const over = new AbortController().signal;
  const upgrade = async (_: unknown, socket: Duplex) => void socket.end('HTTP/1.1 101 Hello\r\n\r\n');
  const { url } = await listening({
    upgrades: new Map([['/socket', upgrade]]),
    admitUpgrade: () => ({ over, access: 'everything', owner: '', turns: atOnce }),
  });
  const { port, host } = new URL(url);
  for (let n = 0; n < 3; n++)
    expect((await sendRaw(Number(port), handshake('/socket', host))).status).toBe(101);
  await until(() => getEventListeners(over, 'abort').length === 0);
});

test('requests that overlap are not reported', async () => {
  const { held, comes, alone, url } = await listening();
  const first = fetch(`${url}/held`);
  await comes.opened;
  expect(await (await fetch(url)).text()).toBe('at once');
  held.open();
  expect(await (await first).text()).toBe('later');
  expect(alone).toEqual([]);
  await fetch(url);
  expect(alone).toEqual([true]);
});
