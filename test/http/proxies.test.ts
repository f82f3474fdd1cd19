import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { expect, test } from 'vitest';
import { trustedProxies } from '../../src/http/proxies.ts';
import { limitSockets } from '../../src/http/server.ts';

const proxies = trustedProxies(['10.0.0.0/8', 'fd00::/8']);
const requestFrom = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

test.each([
  ['no proxy is trusted on its word', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['a trusted proxy names its client', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['an IPv4 proxy of an IPv6 socket', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a chain of trusted proxies', '10.0.0.1', '203.0.113.9, 10.0.0.7, fd00::3', '203.0.113.9'],
  ['what the client itself has written does not count', '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
  ['a word that is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['no header', '10.0.0.1', '', '10.0.0.1'],
])('%s', (_, remote, forwarded, address) => {
  expect(proxies.addressOf(requestFrom(remote, { 'x-forwarded-for': forwarded }))).toBe(address);
});

test('the host that the client named counts from a trusted proxy alone', () => {
  const headers = { host: 'inside:8080', 'x-forwarded-host': 'sandbox.example' };
  expect(proxies.hostOf(requestFrom('10.0.0.1', headers))).toBe('sandbox.example');
  expect(proxies.hostOf(requestFrom('203.0.113.9', headers))).toBe('inside:8080');
});

test.each([
  ['an IPv6 network', (n: number) => `2001:db8:1:2::${n.toString(16)}`, 256],
  ['IPv6 networks', (n: number) => `2001:db8:1:${n.toString(16)}::1`, 300],
  ['IPv4 addresses, of an IPv6 socket', (n: number) => `::ffff:203.0.${n >> 8}.${n & 255}`, 300],
  ['an IPv4 address', () => '203.0.113.9', 256],
  ['a trusted proxy', () => '::ffff:10.0.0.1', 300],
])('300 sockets of %s', (_, addressOf, kept) => {
  const server = new EventEmitter() as Server;
  limitSockets(server, proxies);
  let closed = 0;
  for (let n = 0; n < 300; n++)
    server.emit(
      'connection',
      Object.assign(new EventEmitter(), { remoteAddress: addressOf(n), destroy: () => closed++ }),
    );
  expect(300 - closed).toBe(kept);
});
