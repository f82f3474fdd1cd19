import { get, type IncomingMessage, type Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type EventStream, type StreamedEvent, streamed } from '../../src/http/event-stream.ts';
import { until } from '../support/until.ts';

const KIB = 1024;

/** Serves the events at every path. */
const serving = (events: () => EventStream, onFailure: (error: unknown) => void = () => {}) => {
  const gone = new AbortController();
  const app = new Hono().get('*', c => streamed(c, events(), { gone, over: gone.signal, onFailure }));
  return { app, gone: gone.signal };
};

test('a reader that takes nothing is sent no more than the buffers of the connection hold', async () => {
  let made = 0;
  let isOver = false;
  async function* endless(): AsyncGenerator<StreamedEvent> {
    try {
      for (;;) yield { id: String(++made), event: 'e', data: 'x'.repeat(64 * KIB) };
    } finally {
      isOver = true;
    }
  }
  const { app, gone } = serving(endless);
  const server = (await new Promise<Server>(resolve => {
    const running = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(running as Server));
  })) as Server;
  const { port } = server.address() as { port: number };
  const response = await new Promise<IncomingMessage>(resolve => {
    get({ port, host: '127.0.0.1' }, answer => resolve(answer.pause()));
  });
  expect(response.headers['content-type']).toBe('text/event-stream; charset=UTF-8');
  let before = 0;
  let same = 0;
  await until(() => {
    same = made > 0 && made === before ? same + 1 : 0;
    before = made;
    return same > 20;
  });
  // Of an endless stream; what the kernel and both sockets buffer is some megabytes.
  expect(made * 64).toBeLessThan(32 * KIB);
  response.destroy();
  await until(() => isOver);
  expect(gone.aborted).toBe(true);
  await new Promise(resolve => server.close(resolve));
});

test('writes events and heartbeats as the standard wants them, and ends', async () => {
  async function* two() {
    yield undefined;
    yield { id: '7.1', event: 'deposit', data: { text: 'one\ntwo' } };
  }
  const response = await serving(two).app.request('/');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=UTF-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(await response.text()).toBe(':\n\nevent: deposit\ndata: {"text":"one\\ntwo"}\nid: 7.1\n\n');
});

test('a failure is handed on and nothing of it is written', async () => {
  const failures: unknown[] = [];
  async function* failing() {
    yield { id: '1', event: 'e', data: 1 };
    throw new Error('secret');
  }
  const { app } = serving(failing, error => failures.push(error));
  expect(await (await app.request('/')).text()).toBe('event: e\ndata: 1\nid: 1\n\n');
  expect(failures).toEqual([new Error('secret')]);
});
