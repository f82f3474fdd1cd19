import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { elapsedMs } from '../../src/kernel/clock.ts';
import { httpClient } from '../../src/kernel/http-client.ts';
import { sleep } from '../../src/kernel/interval.ts';
import { standstillSince, watchStandstills } from '../../src/kernel/standstill.ts';

function standStill(ms: number): void {
  const end = elapsedMs() + ms;
  while (elapsedMs() < end);
}

test('a standstill is measured while anybody watches', async () => {
  const start = elapsedMs();
  standStill(60);
  expect(standstillSince(start)).toBe(0);
  const stop = watchStandstills();
  await sleep(30);
  const before = elapsedMs();
  standStill(200);
  expect(standstillSince(before)).toBeGreaterThanOrEqual(150);
  await sleep(30);
  const after = elapsedMs();
  await sleep(30);
  expect(standstillSince(after)).toBeLessThan(150);
  stop();
  stop();
  expect(standstillSince(before)).toBe(0);
});

test('a call is not cut off for a standstill of this process', async () => {
  const server = createServer((_, response) => void setTimeout(() => response.end('{}'), 150));
  onTestFinished(() => void server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = httpClient({ connections: 1, maxAnswerBytes: 100, idleMs: 10 });
  onTestFinished(client.destroy);
  const request = { method: 'POST', headers: {}, body: '{}' } as const;
  const calledWhile = async (ms: number) => {
    const call = client.call(url, request, { timeoutMs: 1000 });
    await sleep(50);
    standStill(ms);
    return call.then(
      ({ status }) => status,
      error => error.name,
    );
  };
  expect(await calledWhile(1300)).toBe('TimeoutError');
  onTestFinished(watchStandstills());
  expect(await calledWhile(1300)).toBe(200);
});
