import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type HoldLimits, heldRefusals } from '../../src/http/listener.ts';
import { elapsedMs } from '../../src/kernel/clock.ts';
import { until } from '../support/until.ts';

const NEVER_MS = 3_600_000;
const LIMITS: HoldLimits = { minMs: NEVER_MS, maxMs: NEVER_MS, apartMs: 0, maxPerOwner: 2, maxHeld: 3 };
const REFUSED = { status: 429, text: '{"code":"RATE-LIMITED"}', headers: { 'retry-after': '1' } };

let server: Server;
let arrived: number;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The owner of a request is its path. */
async function refusing(limits: HoldLimits): Promise<(owner: string) => Promise<Response>> {
  const refused = heldRefusals(elapsedMs, limits);
  arrived = 0;
  server = createServer((request, response) => {
    arrived++;
    refused.answer(request, response, request.url!, REFUSED);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return owner => fetch(`http://127.0.0.1:${port}/${owner}`, { method: 'POST', body: 'x'.repeat(1_000) });
}

test('the answers come, one after the other, on connections that stay open', async () => {
  const send = await refusing({ ...LIMITS, minMs: 1, maxMs: 5, apartMs: 1, maxPerOwner: 20, maxHeld: 20 });
  for (let round = 0; round < 2; round++)
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => send('greedy')))) {
      const { status, headers } = answer;
      expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([429, '1', 'keep-alive']);
      expect(await answer.json()).toEqual({ code: 'RATE-LIMITED' });
    }
});

test('more than the bounds are answered at once, and their connection is closed', async () => {
  const send = await refusing(LIMITS);
  const held = ['greedy', 'greedy', 'other'].map(owner => send(owner).catch(() => 'broken'));
  await until(() => arrived === 3);
  for (const owner of ['greedy', 'other', 'third']) {
    const { status, headers } = await send(owner);
    expect([status, headers.get('connection')]).toEqual([429, 'close']);
  }
  // The end of the server does not wait for them.
  server.closeAllConnections();
  expect(await Promise.all(held)).toEqual(['broken', 'broken', 'broken']);
  const again = send('greedy').catch(() => 'broken');
  await until(() => arrived === 7);
  server.closeAllConnections();
  expect(await again).toBe('broken');
});
