import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { requestHead } from '../support/http/raw-socket.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';

/** Open connections have places. The end of a connection, however it comes, gives its place back. */

const STREAM = '/sandbox/v1/events';
const WAITING_READ = '/sandbox/v1/mailbox?wait=20s';

const world = await forFile(createHostedWorld({ QUOTA_STREAMS: '1', QUOTA_MAILBOX_WAITS: '1' }));
const tenant = await world.register();

const headersOf = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** Its status, and the end of the answer. */
async function open(path: string, { method = 'GET', apiKey = tenant.apiKey } = {}) {
  const end = new AbortController();
  const answer = await fetch(world.url + path, { method, headers: headersOf(apiKey), signal: end.signal });
  return { status: answer.status, answer, end: () => end.abort() };
}

async function isFree(path = STREAM): Promise<boolean> {
  const { status, end } = await open(path);
  end();
  return status === 200;
}

test('HEAD of a stream has its headers and takes no place', async () => {
  for (let sent = 0; sent < 3; sent++) {
    const { status, answer } = await open(STREAM, { method: 'HEAD' });
    expect([status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=UTF-8']);
  }
  expect(await isFree()).toBe(true);
});

test('HEAD is refused as GET is', async () => {
  const { end } = await open(STREAM);
  expect((await open(STREAM, { method: 'HEAD' })).status).toBe(429);
  end();
  await expect.poll(() => isFree()).toBe(true);
  expect((await open(`${STREAM}?after=x`, { method: 'HEAD' })).status).toBe(400);
  expect(await isFree()).toBe(true);
});

test.each([STREAM, WAITING_READ])('a client of %s that hangs up before its answer leaves no place', async path => {
  const { hostname, port } = new URL(world.url);
  for (let sent = 0; sent < 5; sent++)
    await new Promise<void>(resolve => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(requestHead('GET', path, { Host: `${hostname}:${port}`, ...headersOf(tenant.apiKey) }));
        setImmediate(() => socket.resetAndDestroy());
      });
      socket.on('error', () => {}).on('close', () => resolve());
    });
  const probe = path === STREAM ? STREAM : '/sandbox/v1/mailbox?wait=1ms';
  await expect.poll(() => isFree(probe)).toBe(true);
});

test('a client that hangs up while it reads nothing leaves no place', async () => {
  const reader = await new Promise<{ destroy(): void }>(resolve => {
    const asked = request(world.url + STREAM, { headers: headersOf(tenant.apiKey) }, answer => {
      answer.pause();
      resolve(answer);
    });
    asked.on('error', () => {}).end();
  });
  expect(await isFree()).toBe(false);
  reader.destroy();
  await expect.poll(() => isFree()).toBe(true);
});

test('a stream ends with its key, also with one that another key pushes out', async () => {
  const { vaspId, api, apiKey } = await world.register();
  const made = async (more: object) =>
    (await api.call<{ id: string; apiKey: string }>('POST', '/sandbox/v1/keys', { name: 'k', ...more })).body;
  const streamOf = async (key: string) => {
    const { answer } = await open(STREAM, { apiKey: key });
    return answer.text().then(
      () => 'ended',
      () => 'ended',
    );
  };
  await world.operator.changeTenant(vaspId, { quotas: { keys: 2, streams: 3 } });
  const short = await made({ expiresIn: '1h' });
  const stream = streamOf(short.apiKey);
  await expect.poll(async () => (await open(STREAM, { apiKey })).status).toBe(200);
  world.machine.at += 3_600_001;
  // It takes the room of the expired one, before anybody looks for expired keys.
  const next = await made({});
  expect(await stream).toBe('ended');
  const revoked = streamOf(next.apiKey);
  await api.call('DELETE', `/sandbox/v1/keys/${next.id}`);
  expect(await revoked).toBe('ended');
});
