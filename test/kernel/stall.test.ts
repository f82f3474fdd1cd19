import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { elapsedMs, sleep } from '../../src/kernel/clock.ts';
import { httpClient } from '../../src/kernel/http-client.ts';
import { leftOf } from '../../src/kernel/http-exchange.ts';
import { longestStallWithin, stallSince, watchStalls } from '../../src/kernel/stall.ts';

function stall(ms: number): void {
  const end = elapsedMs() + ms;
  while (elapsedMs() < end);
}

test('a stall is measured while anybody watches', async () => {
  const start = elapsedMs();
  stall(60);
  expect(stallSince(start)).toBe(0);
  const stop = watchStalls();
  await sleep(30);
  const before = elapsedMs();
  stall(200);
  expect(stallSince(before)).toBeGreaterThanOrEqual(150);
  await sleep(30);
  const after = elapsedMs();
  await sleep(30);
  // A busy machine stands still later, too: that is in both.
  expect(stallSince(before) - stallSince(after)).toBeGreaterThanOrEqual(150);
  stop();
  stop();
  expect(stallSince(before)).toBe(0);
});

test('stalls that are further apart than the window do not add up', async () => {
  const stop = watchStalls();
  onTestFinished(stop);
  await sleep(20);
  const start = elapsedMs();
  stall(150);
  await sleep(400);
  stall(150);
  await sleep(20);
  const all = stallSince(start);
  expect(longestStallWithin(10_000, start)).toBeGreaterThanOrEqual(all);
  const most = longestStallWithin(160, start);
  expect(most).toBeGreaterThanOrEqual(130);
  expect(most).toBeLessThanOrEqual(160);
  expect(all).toBeGreaterThanOrEqual(270);
});

const TIMEOUT_MS = 400;
/** More than twice as long: the limit grows by all of it. */
const LONGER_MS = 1_200;

test.each([
  [1_000, 0, 999, 1],
  [1_000, 0, 1_000, 0],
  [1_000, 2_500, 3_000, 500],
  [1_000, 2_500, 3_500, 0],
  [1_000, 29_000, 29_500, 500],
  [1_000, 40_000, 31_000, 0],
])(
  'of a limit of %i ms, with an own delay of %i ms, after %i ms are left: %i ms',
  (timeoutMs, ownMs, passedMs, left) => {
    expect(leftOf(timeoutMs, ownMs, passedMs)).toBe(left);
  },
);

test('a call is not cut off for a stall of this process, however long its limit is', async () => {
  let arrives: (response: ServerResponse) => void;
  const server = createServer((_, response) => arrives(response));
  onTestFinished(() => void server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = httpClient({ connections: 1, maxAnswerBytes: 100, idleMs: 10 });
  onTestFinished(client.destroy);
  const request = { method: 'POST', headers: {}, body: '{}' } as const;
  /** The server has the request before the time begins to count. */
  const calledWhile = async (meanwhile: (response: ServerResponse) => void) => {
    const arrived = new Promise<ServerResponse>(resolve => {
      arrives = resolve;
    });
    const call = client.call(url, request, { timeoutMs: TIMEOUT_MS });
    const outcome = call.then(
      ({ status }) => status,
      error => error.name,
    );
    meanwhile(await arrived);
    return outcome;
  };
  const standThenAnswer = (response: ServerResponse) => {
    stall(LONGER_MS);
    response.end('{}');
  };
  expect(await calledWhile(standThenAnswer)).toBe('TimeoutError');
  onTestFinished(watchStalls());
  expect(await calledWhile(standThenAnswer)).toBe(200);
  expect(await calledWhile(() => {})).toBe('TimeoutError');
});

test('a call that is sent once more has the time in which this process stood still during the first attempt', async () => {
  onTestFinished(watchStalls());
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests === 2) {
      stall(LONGER_MS);
      request.socket.destroy();
    } else setTimeout(() => response.end('{}'), TIMEOUT_MS / 4);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = httpClient({ connections: 1, maxAnswerBytes: 1_000, idleMs: 10_000 });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const request = { method: 'POST', headers: {}, body: '{}' } as const;
  const call = () => client.call(`http://127.0.0.1:${port}`, request, { timeoutMs: TIMEOUT_MS }, { onRepeat() {} });
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(200);
  expect(requests).toBe(3);
});
