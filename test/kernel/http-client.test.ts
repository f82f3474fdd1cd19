import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpClient } from '../../src/kernel/http-client.ts';

const ANSWERED_BEFORE = 8;

let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  // The last one of the first round is not answered: its connection ends.
  if (request.url === '/cut' && requests === ANSWERED_BEFORE) request.socket.destroy();
  else response.end('{}');
});
let url = '';
beforeEach(async () => {
  requests = 0;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise(resolve => server.close(resolve)));

const call = { method: 'POST', headers: {}, body: '{}' } as const;
const settings = { connections: 1, maxAnswerBytes: 1_000, idleMs: 1_000 };

test('a connection is new once, also for the calls that have waited for it', async () => {
  const sockets: Socket[] = [];
  const client = httpClient({ ...settings, onSocket: socket => sockets.push(socket) });
  const calls = Array.from({ length: 30 }, () => client.call(url, call, { timeoutMs: 5_000 }));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect(sockets).toHaveLength(1);
  client.destroy();
});

test('a call that has waited for a connection which then ends is sent once more', async () => {
  const client = httpClient(settings);
  const repeated: string[] = [];
  const calls = Array.from({ length: ANSWERED_BEFORE }, () =>
    client.call(`${url}/cut`, call, { timeoutMs: 5_000 }, { onRepeat: ({ code }) => repeated.push(code) }),
  );
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect(repeated).toEqual(['CLOSED-WHILE-REUSED']);
  client.destroy();
});
