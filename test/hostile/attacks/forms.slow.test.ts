import { beforeAll, expect, test } from 'vitest';
import { requestHead, sendRaw } from '../../support/http/raw-socket.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant } from '../../support/world/hosted-world.ts';

/** Forms of the console that no page sends. Each is answered at once, and the key of the VASP still signs in. */

const FORM = 'application/x-www-form-urlencoded';
const world = await forFile(createHostedWorld());
let tenant: HostedTenant;
let cookie = '';
beforeAll(async () => {
  tenant = await world.register();
  cookie = await signIn();
});

const post = (path: string, body: string, type: string) =>
  fetch(world.url + path, { method: 'POST', body, headers: { 'content-type': type, cookie }, redirect: 'manual' });
async function signIn(): Promise<string> {
  const body = new URLSearchParams({ apiKey: tenant.apiKey, to: '/console' }).toString();
  const answer = await post('/console/sign-in', body, FORM);
  expect(answer.status).toBe(303);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

const BOUNDARY = 'b'.repeat(8_000);
const NEAR_MISSES = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${`\r\n--${BOUNDARY.slice(1)}c`.repeat(30)}\r\n--${BOUNDARY}--\r\n`;
const DEEP = `json=${encodeURIComponent('['.repeat(20_000) + ']'.repeat(20_000))}`;

test.each([
  ['100,000 fields', 'a&'.repeat(100_000), FORM, 400],
  ['1,001 fields', 'a=1&'.repeat(1_001), FORM, 400],
  ['a name of 200 kB', `${'x'.repeat(200_000)}=1`, FORM, 401],
  ['a name of 1 MB', `${'x'.repeat(1_000_000)}=1`, FORM, 413],
  ['JSON of 2 MB', `json=${'x'.repeat(2_000_000)}`, FORM, 413],
  ['deep nesting', DEEP, FORM, 401],
  ['parts whose ends are near misses', NEAR_MISSES, `multipart/form-data; boundary=${BOUNDARY}`, 400],
  [
    'parts',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
    'multipart/form-data; boundary=x',
    400,
  ],
])('%s: refused', async (_, body, type, status) => {
  expect((await post('/console/sign-in', body, type)).status).toBe(status);
  const before = await tenant.api.users();
  const added = await post('/console/users/add', body, type);
  // A page with its notice.
  expect(added.status).toBe(status === 401 ? 200 : status);
  expect(await tenant.api.users()).toEqual(before);
});

test('a cookie of 16 kB: refused, and the connection ends', async () => {
  const { port, host } = new URL(world.url);
  const head = requestHead('GET', '/console', { Host: host, Cookie: `a=${'x'.repeat(16_384)}` });
  expect((await sendRaw(Number(port), head)).status).toBe(431);
});

test('a chunked body that never ends is cut off at its most bytes', async () => {
  const { port, host } = new URL(world.url);
  const head = requestHead('POST', '/console/sign-in', {
    Host: host,
    'Content-Type': FORM,
    'Transfer-Encoding': 'chunked',
  });
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  expect((await sendRaw(Number(port), head + chunk.repeat(8))).status).toBe(413);
});

test('1,000 sign-ins with wrong keys: each refused, and the right key signs in', async () => {
  const statuses = new Set<number>();
  for (let n = 0; n < 1_000; n += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => post('/console/sign-in', `apiKey=wrong-${n + i}&to=%2Fconsole`, FORM)),
    );
    for (const { status } of answers) statuses.add(status);
  }
  expect([...statuses].every(status => status === 401 || status === 429)).toBe(true);
  expect((await fetch(`${world.url}/healthcheck`)).status).toBe(200);
  await signIn();
});
