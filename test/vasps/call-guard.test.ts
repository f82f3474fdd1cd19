import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HTTP_ADDRESS } from '../../src/contract/vasps.ts';
import { AddressNotAllowed, callGuard, type GuardSettings } from '../../src/vasps/call-guard.ts';
import { type GuardedClient, guardedClient } from '../../src/vasps/http-client.ts';
import { type DnsServer, startDnsServer } from '../support/vasp/dns-server.ts';
import { json, type Peer, raw, startPeer } from '../support/vasp/peer.ts';

/** Calls on behalf of strangers reach public addresses alone, whatever the address looks like. */

const CLOSED: GuardSettings = { allowed: [], allowHttp: true, dnsServers: [] };
const guardOf = (change: Partial<GuardSettings> = {}) => callGuard({ ...CLOSED, ...change });

type Rows = readonly (readonly [kind: string, ...addresses: string[]])[];
const SPECIAL_IPV4: Rows = [
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1'],
  ['shared', '100.64.0.1', '100.127.255.254'],
  ['loopback', '127.0.0.1', '127.255.255.254'],
  ['link-local, with the metadata of clouds', '169.254.169.254'],
  ['of the IETF', '192.0.0.1', '192.0.0.170', '192.88.99.1', '192.175.48.1'],
  ['for documents', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ['for benchmarks', '198.18.0.1', '198.19.255.254'],
  ['multicast', '224.0.0.1', '239.255.255.255'],
  ['reserved', '240.0.0.1', '255.255.255.255'],
];
const SPECIAL_IPV6: Rows = [
  ['unspecified and loopback', '::', '::1'],
  ['IPv4 inside', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:10.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::b00:0', '64:ff9b:1::a00:1'],
  ['6to4 and Teredo', '2002:7f00:1::', '2002:a00:1::1', '2001::1'],
  ['discard, documents, benchmarks', '100::1', '2001:db8::1', '3fff::1', '2001:2::1'],
  ['ORCHID, AS112, segment routing', '2001:10::1', '2001:20::1', '2620:4f:8000::1', '5f00::1'],
  ['local', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1'],
  ['multicast', 'ff02::1', 'ff0e::1'],
  ['outside of what the internet routes', '1:2::3', '4000::1', 'e000::1'],
];

describe('addresses in the URL', () => {
  test.each(SPECIAL_IPV4)('IPv4 %s', (_, ...addresses) => {
    for (const address of addresses)
      for (const notation of notationsOf(address))
        expect.soft(guardOf().problemOf(`https://${notation}:8443/`), notation).toBe('should be a public one');
  });

  test.each(SPECIAL_IPV6)('IPv6 %s', (_, ...addresses) => {
    for (const address of addresses)
      expect.soft(guardOf().problemOf(`https://[${address}]/`), address).toBe('should be a public one');
  });

  test('the form of an endpoint takes the ordinary notations only, and of those everything that is parsed is judged', () => {
    const taken = [
      'http://[::ffff:127.0.0.1]/',
      'http://[::127.0.0.1]:8443',
      'http://[64:ff9b::10.0.0.1]/',
      'http://[0:0:0:0:0:ffff:127.0.0.1]/a',
      'http://127.0.0.1./',
      'https://localhost./',
    ];
    for (const url of taken) {
      expect.soft(HTTP_ADDRESS.test(url), url).toBe(true);
      expect.soft(guardOf().problemOf(url.replace('http:', 'https:')), url).toBe('should be a public one');
    }
    const refused = [
      'http://0x7f.1/',
      'http://2130706433/',
      'http://127.1/',
      'http://%31%32%37.0.0.1/',
      'http://\u2460\u2461\u2466.0.0.1/',
      'http://127\u30020\u30020\u30021/',
      'http://1.2.3.4../',
      'http://[::1%25eth0]/',
      'http://user:s%40cret@vasp.example/',
      'http://user@vasp.example/',
      'http://vasp.example/callback#part',
      'http://vasp.example#',
      'http://vasp.example/?a=1#b?c',
    ];
    for (const url of refused) expect.soft(HTTP_ADDRESS.test(url), url).toBe(false);
  });

  test('names of the machine itself', () => {
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'vasp.localhost'])
      expect.soft(guardOf().problemOf(`https://${name}/`), name).toBe('should be a public one');
  });

  test.each([
    ['https://vasp.example/callback', undefined],
    // Addresses of networks, which no host has, at the edge of what is special. They are judged and never called.
    ['https://11.0.0.0/', undefined],
    ['https://172.32.0.0/', undefined],
    ['https://[2000::]:8443/', undefined],
    ['https://[::ffff:b00:0]:1024/', undefined],
    ['http://vasp.example:8080/', undefined],
    ['https://user@vasp.example/', 'should have no user name and no password'],
    ['https://:secret@vasp.example/', 'should have no user name and no password'],
    ['https://vasp.example:22/', 'should have port 443, 8443 or one above 1023'],
    ['https://vasp.example:1023/', 'should have port 443, 8443 or one above 1023'],
    ['http://vasp.example/', 'should have port 443, 8443 or one above 1023'],
    ['ftp://vasp.example:8443/', 'should begin with https://'],
  ])('%s', (url, problem) => {
    expect(guardOf().problemOf(url)).toBe(problem);
  });

  test('http is refused unless it is allowed', () => {
    expect(guardOf({ allowHttp: false }).problemOf('http://vasp.example:8080/')).toBe('should begin with https://');
  });

  test('an allowed network is open, and no other', () => {
    const guard = guardOf({ allowed: ['10.20.0.0/16', 'fd00:1::/32'] });
    for (const open of ['10.20.0.1', '0x0a.20.0.1', '[::ffff:10.20.255.254]', '[fd00:1::7]'])
      expect.soft(guard.problemOf(`https://${open}/`), open).toBeUndefined();
    for (const closed of ['10.21.0.1', '127.0.0.1', '[fd00:2::7]'])
      expect.soft(guard.problemOf(`https://${closed}/`), closed).toBe('should be a public one');
  });
});

/** Decimal, hexadecimal, octal, mapped, with a dot at the end. */
function notationsOf(address: string): string[] {
  const parts = address.split('.').map(Number) as [number, number, number, number];
  const whole = parts.reduce((sum, part) => sum * 256 + part, 0);
  const [a, b, c, d] = parts;
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    parts.map(part => `0x${part.toString(16)}`).join('.'),
    parts.map(part => `0${part.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `[::ffff:${address}]`,
    `[::${address}]`,
  ];
}

describe('at the connection', () => {
  let peer: Peer;
  let dns: DnsServer;
  const clients: GuardedClient[] = [];
  beforeAll(async () => {
    peer = await startPeer();
    dns = await startDnsServer();
  });
  afterAll(async () => {
    await Promise.all(clients.map(client => client.close()));
    await peer.close();
    dns.close();
  });

  const clientOf = (change: Partial<GuardSettings>): GuardedClient => {
    const client = guardedClient(guardOf({ dnsServers: [dns.address], ...change }));
    clients.push(client);
    return client;
  };
  const port = () => new URL(peer.url).port;
  const post = (client: GuardedClient, url: string, timeoutMs = 5_000) =>
    client.call(url, { method: 'POST', headers: {}, body: '{}' }, { timeoutMs });
  const LOOPBACK = { allowed: ['127.0.0.0/8'] };

  test('a name that was allowed and is private now is not called', async () => {
    // An address for documents: nothing is ever called there.
    const allowed = ['198.51.100.0/24'];
    dns.script('rebinds.example', ['198.51.100.7'], ['127.0.0.1']);
    const guard = guardOf({ dnsServers: [dns.address], allowed });
    const resolved = await new Promise((done, fail) =>
      guard.lookup!('rebinds.example', {}, (error, address) => (error ? fail(error) : done(address))),
    );
    expect(resolved).toBe('198.51.100.7');
    const before = peer.asked.length;
    const called = post(clientOf({ allowed }), `http://rebinds.example:${port()}/`);
    await expect(called).rejects.toBeInstanceOf(AddressNotAllowed);
    expect(peer.asked).toHaveLength(before);
  });

  test('names without an answer of the DNS keep no other name waiting', async () => {
    dns.script('silent.example');
    dns.script('sound.example', ['127.0.0.1']);
    const silent = Array.from({ length: 20 }, () =>
      post(clientOf(LOOPBACK), `http://silent.example:${port()}/`, 2_000),
    );
    peer.behave(json({}));
    const sound = post(clientOf(LOOPBACK), `http://sound.example:${port()}/`, 1_500);
    expect(await sound).toMatchObject({ status: 200 });
    for (const { status } of await Promise.allSettled(silent)) expect(status).toBe('rejected');
  });

  test('`localhost` is this machine, whatever the DNS says', async () => {
    peer.behave(json({}));
    dns.script('localhost', ['198.51.100.7']);
    expect(await post(clientOf(LOOPBACK), `http://localhost:${port()}/`)).toMatchObject({ status: 200 });
  });

  test('`localhost` is this machine when only IPv6 listens, too', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
    const server = createServer(socket => socket.once('data', () => socket.end(answer))).listen(0, '::1');
    await once(server, 'listening');
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    const allowed = ['127.0.0.0/8', '::1/128'];
    expect(await post(clientOf({ allowed }), url)).toMatchObject({ status: 200 });
    server.close();
  });

  test('of several addresses only the allowed ones are called', async () => {
    peer.behave(json({}));
    dns.script('both.example', ['10.0.0.1', '127.0.0.1']);
    expect(await post(clientOf(LOOPBACK), `http://both.example:${port()}/`)).toMatchObject({ status: 200 });
  });

  test('the refusal is the same whether something listens or not', async () => {
    dns.script('inside.example', ['127.0.0.1']);
    const errorAt = (url: string) => post(clientOf({}), url).catch((error: Error) => `${error}`);
    const listening = await errorAt(`http://inside.example:${port()}/`);
    expect(await errorAt('http://inside.example:1025/')).toBe(listening);
    expect(await errorAt(`http://127.0.0.1:${port()}/`)).toBe(listening);
    expect(listening).toContain('ADDRESS-NOT-ALLOWED');
  });

  test('a redirection is not followed', async () => {
    peer.behave(response => response.writeHead(307, { location: `${peer.url}/secret` }).end());
    const before = peer.asked.length;
    expect(await post(clientOf(LOOPBACK), peer.url)).toMatchObject({ status: 307 });
    expect(peer.asked.slice(before).map(({ url }) => url)).toEqual(['/']);
  });

  test('of an answer 64 KiB are read, compressed or not', async () => {
    const client = clientOf(LOOPBACK);
    peer.behave(raw('x'.repeat(64 * 1024)));
    expect((await post(client, peer.url)).body).toHaveLength(64 * 1024);
    peer.behave(raw('x'.repeat(64 * 1024 + 1)));
    expect(await post(client, peer.url)).toMatchObject({ problem: { code: 'TOO-LONG' } });
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    peer.behave(response => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await post(client, peer.url)).toMatchObject({
      body: '',
      problem: { code: 'TOO-LONG', text: 'is longer than 64 KiB' },
    });
  });

  test.each([
    ['drips its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'],
    ['drips its headers', 'HTTP/1.1 200 OK\r\nx-slow: '],
  ])('a peer that %s is left at the time limit', async (_, beginning) => {
    const { url, close } = await startDripping(beginning);
    // Without the time limit the answer would never end.
    await expect(post(clientOf(LOOPBACK), url, 300)).rejects.toThrow(/timeout/i);
    close();
  });
});

/** Sends `beginning`, and then one byte after another without end. */
async function startDripping(beginning: string) {
  const server: Server = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.write(beginning);
    const drip = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(drip));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
