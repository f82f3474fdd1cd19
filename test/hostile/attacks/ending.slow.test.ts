import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { scratchFolder } from '../../support/db/scratch-folder.ts';
import { handshake, requestHead, sendRaw } from '../../support/http/raw-socket.ts';
import { type Serving, serving, servingReady } from '../../support/process/serving.ts';
import { until } from '../../support/until.ts';
import { forFile } from '../../support/world/for-file.ts';

/** Nothing that a stranger sends ends the process. */

const folder = scratchFolder();
const program = await forFile(servingReady());
let host: string;
beforeAll(() => {
  host = `127.0.0.1:${program.port}`;
});
afterEach(async () => expect((await fetch(`${program.url}/healthcheck`)).status).toBe(200));

describe('a WebSocket handshake', () => {
  test.each([
    ['//', 404],
    ['//%%%', 404],
    ['/%', 404],
    ['*', 404],
    ['/nowhere', 404],
    ['http://[', 421],
    ['http://elsewhere.example/devnet/xrpl', 421],
    ['/devnet/xrpl', 101],
    ['/devnet/xrpl/?a=%', 101],
  ])('to %s is answered with %i', async (target, status) => {
    const answer = await sendRaw(program.port, handshake(target, host), { quietMs: 300 });
    expect(answer.status).toBe(status);
  });

  test('of a connection that is reset at once', async () => {
    for (const target of ['/nowhere', '/devnet/xrpl', '//'])
      for (const resetAfterMs of [0, 1, 5]) await sendRaw(program.port, handshake(target, host), { resetAfterMs });
  });

  test('for HTTP/2 is no handshake: the request is answered as it is', async () => {
    const upgrade = { Host: host, Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAEA' };
    const body = '{"duration":"1s"}';
    const head = requestHead('POST', '/sandbox/v1/clock/advance', {
      ...upgrade,
      'Content-Length': String(body.length),
    });
    const { status, text } = await sendRaw(program.port, head + body, { quietMs: 2_000 });
    expect([status, text]).toEqual([200, expect.stringContaining('"fired"')]);
  });
});

test.each(['/v1/vasps', '/devnet/ethereum', '/devnet/xrpl', '/devnet/xrpl/accounts'])(
  'CONNECT %s is answered with 405',
  async target => {
    const head = requestHead('CONNECT', target, { Host: host, Connection: 'close' });
    expect((await sendRaw(program.port, head, { quietMs: 1_000 })).status).toBe(405);
  },
);

test.each([5_000, 100_000])('a frame nested %i deep is no JSON for the XRP Ledger', async depth => {
  const socket = new WebSocket(`ws://${host}/devnet/xrpl`);
  onTestFinished(() => socket.terminate());
  await new Promise(resolve => socket.once('open', resolve));
  const answered = new Promise<string>(resolve => socket.once('message', data => resolve(String(data))));
  socket.send(`{"command":"ping","y":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  expect(JSON.parse(await answered)).toMatchObject({ error: 'jsonInvalid' });
});

test('a ledger that cannot start: the handshake is answered with 503, and the program goes on', async () => {
  mkdirSync(join(folder, 'robot.xrpl.sqlite'));
  const crippled = await serving({ DATABASE_PATH: join(folder, 'robot.sqlite') });
  const { status, text } = await sendRaw(crippled.port, handshake('/devnet/xrpl', `127.0.0.1:${crippled.port}`), {
    quietMs: 15_000,
  });
  expect([status, text]).toEqual([503, expect.stringMatching(/retry-after: \d+/i)]);
  expect((await fetch(`${crippled.url}/devnet/xrpl`, { method: 'POST', body: '{}' })).status).toBe(503);
  expect((await fetch(`${crippled.url}/healthcheck`)).status).toBe(200);
  expect(await crippled.stop()).toBe(0);
});

describe('the embedded chains', () => {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${program.url}/sandbox/v1${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  const account = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';

  test('10,000 blocks at once are refused', async () => {
    expect(await post('/chains/ETH/mine', { blocks: 10_000 })).toEqual([400, 'BAD-REQUEST']);
  });

  test('the XRP faucet is refused while the ledger is held, and pays afterwards', async () => {
    const payment = { symbol: 'XRP', address: account, amount: '100' };
    await post('/chains/XRP/hold', { on: true });
    expect((await post('/faucet', payment))[0]).toBe(400);
    await post('/chains/XRP/hold', { on: false });
    expect(await post('/faucet', payment)).toEqual([200, undefined]);
  });
});

describe('the last net', () => {
  /** A module that the built program loads before it starts. */
  async function failing(code: string): Promise<Serving> {
    const failure = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => {${code}})`)}`;
    const started = await serving({ NODE_OPTIONS: `--import "${failure}"` });
    started.child.kill('SIGUSR2');
    return started;
  }

  test('a rejected promise without an owner is logged, and the program goes on', async () => {
    const started = await failing("Promise.reject(new Error('nobody waits'))");
    await until(async () => (await fetch(`${started.url}/healthcheck`)).status === 200);
    expect(await started.stop()).toBe(0);
  });

  test('another exception stops it in order: one sentence, exit code 70', async () => {
    const started = await failing("setTimeout(() => { throw new TypeError('broken'); })");
    expect(await started.exited).toBe(70);
    const sentences = started.stderr().trim().split('\n');
    expect(sentences).toEqual([expect.stringContaining('TypeError: broken')]);
    expect(JSON.parse(sentences[0]!)).toMatchObject({ code: 'UNEXPECTED-FAILURE' });
  });
});
