import { get, type IncomingMessage, type Server } from 'node:http';
import { serve } from '@hono/node-server';
import { expect, test } from 'vitest';
import { type StreamedEvent, streamed } from '../../src/http/event-stream.ts';
import { until } from '../support/until.ts';

const KIB = 1024;

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
  const hungUp = new AbortController();
  const server = (await new Promise<Server>(resolve => {
    const running = serve({ fetch: () => streamed(endless(), hungUp), port: 0, hostname: '127.0.0.1' }, () =>
      resolve(running as Server),
    );
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
  expect(hungUp.signal.aborted).toBe(true);
  await new Promise(resolve => server.close(resolve));
});

test('writes events and signs of life as the standard wants them, and ends', async () => {
  async function* two() {
    yield undefined;
    yield { id: '7.1', event: 'deposit', data: { text: 'one\ntwo' } };
  }
  const response = streamed(two(), new AbortController());
  expect(await response.text()).toBe(':\n\nid: 7.1\nevent: deposit\ndata: {"text":"one\\ntwo"}\n\n');
});
