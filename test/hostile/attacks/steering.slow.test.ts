import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { handshake, requestHead, sendRaw } from '../../support/http/raw-socket.ts';
import { serving, servingReady } from '../../support/process/serving.ts';
import { forFile } from '../../support/world/for-file.ts';

/** No foreign web page steers the sandbox, and nobody fills its memory. */

const OWN_ORIGINS = ['http://localhost:3000', 'http://page.test', 'chrome-extension://abcdefghijklmnop'];

const program = await forFile(
  servingReady({ ALLOWED_HOSTS: 'robot.test', ALLOWED_ORIGINS: OWN_ORIGINS.join(), PUBLIC_URL: 'https://public.test' }),
);
let host: string;
beforeAll(() => {
  host = `127.0.0.1:${program.port}`;
});

const CHANGES: [string, string, string][] = [
  ['POST', '/sandbox/v1/clock/advance', '{"duration":"0s"}'],
  ['POST', '/sandbox/v1/reset', ''],
  ['POST', '/devnet/ethereum', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'],
  ['POST', '/devnet/xrpl', '{"method":"ping"}'],
  ['POST', '/console/sign-out', 'a=1'],
  ['PUT', '/sandbox/v1/faults', '{}'],
  ['PATCH', '/sandbox/v1/vasps/1', '{}'],
  ['DELETE', '/sandbox/v1/faults', ''],
];
const send = (method: string, path: string, body: string, headers: Record<string, string>) =>
  sendRaw(
    program.port,
    requestHead(method, path, {
      Host: host,
      Connection: 'close',
      ...(body === '' ? {} : { 'Content-Length': String(body.length) }),
      ...headers,
    }) + body,
    { quietMs: 15_000 },
  );

describe.each(CHANGES)('%s %s', (method, path, body) => {
  test.each<Record<string, string>>([
    { Origin: 'http://elsewhere.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('%j: 403', async headers => {
    const { status, text } = await send(method, path, body, headers);
    expect([status, text]).toEqual([403, expect.stringContaining('FOREIGN-ORIGIN')]);
  });
  test('without an origin, and from a page of its own: welcome', async () => {
    const own = { Origin: `http://localhost:${program.port}`, 'Sec-Fetch-Site': 'same-origin' };
    const welcome: Record<string, string>[] = [{}, own, { Origin: 'https://public.test' }];
    for (const headers of welcome) expect((await send(method, path, body, headers)).status).not.toBe(403);
  });
});

test.each([
  ['elsewhere.example', 421],
  [`elsewhere.example:80`, 421],
  ['127.0.0.1.elsewhere.example', 421],
  ['robot.test', 200],
  ['robot.test:9999', 200],
  ['public.test', 200],
  ['localhost', 200],
  ['[::1]:8080', 200],
  ['host.docker.internal:8080', 200],
  ['gateway.docker.internal:8080', 200],
  ['host.containers.internal', 200],
  ['docker:49153', 200],
  ['172.17.0.1:49153', 200],
  ['10.0.2.2', 200],
  ['[fd00::1]:8080', 200],
  ['[::ffff:127.0.0.1]:8080', 200],
  ['[::ffff:7f00:1]', 200],
  ['[fe80::1%25eth0]:8080', 200],
  ['[fe80::1%eth0]', 200],
  ['172.17.0.1.nip.example:49153', 421],
  ['docker.elsewhere.example', 421],
  ['0x7f.1', 421],
  ['2130706433', 421],
])('D-41: Host %s: %i', async (name, status) => {
  expect((await send('GET', '/v1/vasps', '', { Host: name })).status).toBe(status);
  for (const path of ['/healthcheck', '/readyz', '/metrics', '/readyz?verbose'])
    expect((await send('GET', path, '', { Host: name })).status, path).toBe(200);
});

test.each(['//v1/vasps', '/v1//vasps', '//sandbox/v1/info'])(
  '%s: the answer says that a slash is too many',
  async path => {
    const { status, text } = await send('GET', path, '', {});
    expect([status, text]).toEqual([404, expect.stringContaining('base address of your client end without a slash')]);
  },
);

test('D-41: a page at an address steers nothing but the address itself', async () => {
  const from = (origin: string, name: string) =>
    send('POST', '/sandbox/v1/clock/advance', '{"duration":"0s"}', { Origin: origin, Host: name });
  const address = `172.17.0.1:${program.port}`;
  expect((await from(`http://${address}`, address)).status).toBe(200);
  expect((await from(`http://${address}`, host)).status).toBe(403);
  expect((await from(`http://${address}`, `172.17.0.2:${program.port}`)).status).toBe(403);
  expect((await from('http://172.17.0.1:1', address)).status).toBe(403);
});

test('a handshake with a foreign origin: 403', async () => {
  for (const path of ['/devnet/xrpl', '/devnet/ethereum'])
    expect((await sendRaw(program.port, handshake(path, host, { Origin: 'http://elsewhere.example' }))).status).toBe(
      403,
    );
});

describe.each(OWN_ORIGINS)('ALLOWED_ORIGINS: %s', origin => {
  const from = { Origin: origin, 'Sec-Fetch-Site': 'cross-site' };
  const ASKS = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };

  test.each(CHANGES)('%s %s: the embedded chains only', async (method, path, body) => {
    const { status, text } = await send(method, path, body, { ...from, 'Content-Type': 'application/json' });
    if (!path.startsWith('/devnet')) return expect(status).toBe(403);
    expect([status, text]).toEqual([200, expect.stringMatching(allowing(origin))]);
  });
  test.each(['/devnet/ethereum', '/devnet/xrpl'])('%s: the browser may ask first, and open a WebSocket', async path => {
    const { status, text } = await send('OPTIONS', path, '', { ...from, ...ASKS });
    expect([status, text]).toEqual([204, expect.stringMatching(allowing(origin))]);
    expect(text).toMatch(/access-control-allow-headers: content-type/i);
    expect((await sendRaw(program.port, handshake(path, host, from))).status).toBe(101);
  });
});

const allowing = (origin: string): RegExp => new RegExp(`access-control-allow-origin: ${origin}\r`, 'i');

test('the refusal of a page at an embedded chain names ALLOWED_ORIGINS, which helps', async () => {
  const [, path, body] = CHANGES.find(([, each]) => each === '/devnet/ethereum')!;
  const { text } = await send('POST', path, body, { Origin: 'http://localhost:4000' });
  expect(text).toContain('to ALLOWED_ORIGINS if it is yours');
  for (const without of [program, await serving({})]) {
    const asks = { Origin: 'http://localhost:4000', 'Access-Control-Request-Method': 'POST' };
    const head = requestHead('OPTIONS', path, { Host: host, Connection: 'close', ...asks });
    const asked = await sendRaw(without.port, head, { quietMs: 15_000 });
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('to ALLOWED_ORIGINS if it is yours')]);
    expect(asked.text).not.toMatch(/access-control-allow-origin/i);
    if (without !== program) await without.stop();
  }
});

test.each([
  '/v1/verifications',
  '/devnet/ethereum',
  '/devnet/xrpl',
  '/sandbox/v1/reset',
  '/console/chains/faucet',
  '/nowhere',
])('%s: 20 MB are refused, and no memory is taken', async path => {
  const before = memory();
  const statuses = await Promise.all([true, false].map(isChunked => upload(path, isChunked)));
  expect(statuses).toEqual([413, 413]);
  expect(memory() - before).toBeLessThan(60);
});

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))![1]) / 1024;

function upload(path: string, isChunked: boolean): Promise<number> {
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  return new Promise((resolve, reject) => {
    const headers = isChunked ? {} : { 'content-length': 20 * chunk.length };
    const sent = request(`${program.url}${path}`, { method: 'POST', headers }, answer => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    for (let n = 0; n < 20; n++) sent.write(chunk);
    sent.end();
  });
}
