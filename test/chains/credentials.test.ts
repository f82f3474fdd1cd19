import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import { xrplChain } from '../../src/chains/xrpl.ts';
import { withoutCredentials } from '../../src/kernel/secrets.ts';
import { ethereumConfig, xrplConfig } from '../support/chains/chain-world.ts';

/** `ETH_RPC_URL` and `XRPL_URL` with a user and a password: Basic auth, and the secret stands in no message. */

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

test.each([
  ['http://user:secret@host/path?q=1', 'http://host/path?q=1', basic('user:secret')],
  ['wss://user:secret@host:51233', 'wss://host:51233/', basic('user:secret')],
  ['https://us%40er:s%3Ac%2Fr%25et@host/', 'https://host/', basic('us@er:s:c/r%et')],
  ['https://user:p%C3%A4ss@host/', 'https://host/', basic('user:päss')],
  ['https://user@host/', 'https://host/', basic('user:')],
  ['https://:token@host/', 'https://host/', basic(':token')],
  ['https://user:50%@host/', 'https://host/', basic('user:50%')],
])('%s', (address, url, authorization) => {
  expect(withoutCredentials(address)).toEqual({ url, authorization });
});
test('an address without a user stays as it is', () =>
  expect(withoutCredentials('https://host/v3/key')).toEqual({ url: 'https://host/v3/key' }));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Refuses everybody else with 401. */
async function guarded(expected: string) {
  const seen: IncomingHttpHeaders['authorization'][] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    if (request.headers.authorization !== expected) return void response.writeHead(401).end('who are you?');
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      const { id } = JSON.parse(text) as { id: number };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${(20_260_730).toString(16)}` }));
    });
  });
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }: { req: { headers: IncomingHttpHeaders } }) => {
      seen.push(req.headers.authorization);
      return req.headers.authorization === expected;
    },
  });
  sockets.on('connection', socket =>
    socket.on('message', data => {
      const { id } = JSON.parse(String(data)) as { id: number };
      const info = { network_id: 21_117, validated_ledger: { seq: 5 }, complete_ledgers: '1-5' };
      socket.send(JSON.stringify({ id, type: 'response', status: 'success', result: { info } }));
    }),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    sockets.close();
    for (const client of sockets.clients) client.terminate();
    server.close();
    server.closeAllConnections();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe.each([
  ['ETH', 'http', (url: string) => ethereumChain(ethereumConfig(url))],
  ['XRP', 'ws', (url: string) => xrplChain({ ...xrplConfig(url), reconnectMs: 10 })],
] as const)('%s', (_, protocol, open) => {
  test('the node gets the user and the password', async () => {
    const { host, seen } = await guarded(basic('user:s@cret'));
    const chain = open(`${protocol}://user:s%40cret@${host}/`);
    closing.push(chain.close);
    await chain.connect();
    expect(new Set(seen)).toEqual(new Set([basic('user:s@cret')]));
  });

  test('a refusal names neither', async () => {
    const { host } = await guarded(basic('somebody:else'));
    const chain = open(`${protocol}://fritz:s%40cret@${host}/`);
    closing.push(chain.close);
    const error: unknown = await chain.connect().catch((reason: unknown) => reason);
    expect(String(error)).toMatch(/401|who are you|not JSON/);
    const all = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String((error as Error).cause);
    expect(all).not.toMatch(/fritz|s%40cret|s@cret/);
  });
});
