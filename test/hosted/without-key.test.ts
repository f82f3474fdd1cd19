import { expect, test } from 'vitest';
import type { Arrival } from '../../src/http/caller.ts';
import type { TenantsDeps } from '../../src/tenants/deps.ts';
import { createGate } from '../../src/tenants/gate.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';

/** Strangers share the limit and the turns of their network, and take nothing from those who have a key. */

const world = await forFile(createHostedWorld());
const tenant = await world.register();

const get = (path: string, headers: Record<string, string> = {}) => fetch(world.url + path, { headers });

test('public pages are made once, each in its language and form', async () => {
  const pages = [
    ['/guide/codes', {}],
    ['/guide/codes', { 'accept-language': 'ko' }],
    ['/guide/codes', { accept: 'text/markdown' }],
    ['/guide/ko/codes', {}],
    ['/openapi.json', {}],
    ['/llms-full.txt', {}],
  ] as const;
  const texts: string[] = [];
  for (const [path, headers] of pages) {
    const [first, second] = [await get(path, headers), await get(path, headers)];
    const text = await first.text();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.text()).toBe(text);
    for (const name of ['content-type', 'content-security-policy', 'vary'])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    texts.push(text);
  }
  // Korean by the language of the browser, and by the path.
  expect(texts[3]).toBe(texts[1]);
  expect(new Set(texts).size).toBe(pages.length - 1);
  // A query that nothing reads makes no other page.
  expect(await (await get('/guide/codes?x=1')).text()).toBe(texts[0]);
  expect(await (await get('/guide?search=robot')).text()).toContain('value="robot"');
  expect((await get('/guide/nowhere')).status).toBe(404);
});

test('pages that a session protects are not kept, and have a strict policy', async () => {
  const page = await get('/console/sign-in');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-security-policy')).toContain("base-uri 'none'");
  const self = await get('/v1/vasps/self', { authorization: `Bearer ${tenant.apiKey}` });
  expect(self.headers.get('cache-control')).toBe('no-store');
  expect((await get('/console/assets/console.css')).headers.get('cache-control')).toBe('no-cache');
});

test.each([
  ['a broken form', 'multipart/form-data', 'abc'],
  ['a form without an end', 'multipart/form-data; boundary=x', '--x\r\n'],
  ['an address that no header can carry', 'application/x-www-form-urlencoded', 'to=%2Fconsole%2F%0A%ED%95%9C'],
])('the sign-in answers 400 to %s', async (_, type, body) => {
  const headers = { 'content-type': type };
  expect((await fetch(`${world.url}/console/sign-in`, { method: 'POST', headers, body })).status).toBe(400);
});

test('a network without a key has a limit of its own, and a health check has none', () => {
  let elapsedMs = 0;
  const gate = createGate({
    elapsed: () => elapsedMs,
    settings: { operatorKeyHash: '' },
    keys: { findByHash: () => undefined },
  } as unknown as TenantsDeps);
  const arrival = (path: string, address: string): Arrival =>
    ({ method: 'GET', path, key: undefined, signIn: undefined, address }) as const;
  const sender = (path: string, address: string) => gate.senderOf(arrival(path, address));
  for (let sent = 0; sent < 1_000; sent++) {
    expect(sender('/guide', '2001:db8::1')?.refusal).toBeUndefined();
    gate.admit(arrival('/guide', '2001:db8::1'));
  }
  expect(sender('/guide', '2001:db8::2')).toMatchObject({
    owner: sender('/openapi.json', '2001:db8::1')?.owner,
    refusal: { kind: 'rate-limited' },
  });
  expect(sender('/v1/vasps', '2001:db8::1')?.refusal).toBeDefined();
  expect(sender('/guide', '2001:db8:0:1::1')?.refusal).toBeUndefined();
  expect(sender('/healthcheck', '2001:db8::1')).toBeUndefined();
  elapsedMs = 1_000;
  expect(sender('/guide', '2001:db8::1')?.refusal).toBeUndefined();
});

test.each(['\u001b[31mRed', 'Two\nlines', 'Bright \u202eegnahcxE', 'Bright\u2066 Exchange', 'a\u0000'])(
  'no VASP, invitation or key has the name %j',
  async name => {
    const invitation = await world.invite();
    const calls = [
      world.stranger.call('POST', '/sandbox/v1/registrations', { invitation, name }),
      tenant.api.call('PATCH', `/sandbox/v1/vasps/${tenant.vaspId}`, { name }),
      tenant.api.call('POST', '/sandbox/v1/keys', { name }),
      world.operator.call('POST', '/sandbox/v1/invitations', { name }),
    ];
    for (const { status, body } of await Promise.all(calls))
      expect([status, body]).toEqual([
        400,
        { code: 'BAD-REQUEST', message: '`name` should have no control characters and no marks of direction.' },
      ]);
  },
);

test.each([
  ['lastName', { kind: 'natural', names: { lastName: 'Bright \u202eeegnahcxE', firstName: 'A' } }],
  ['firstName', { kind: 'natural', names: { lastName: 'A', firstName: 'a\u001b[31m' } }],
  ['legalName', { kind: 'legal', names: { legalName: 'a\u0085b', representatives: [] } }],
])('no user of the robot has such a name: %s', async (member, user) => {
  const { status, body } = await tenant.api.call('PUT', '/sandbox/v1/users/someone', { ...user, kyc: true });
  expect([status, body]).toEqual([
    400,
    { code: 'BAD-REQUEST', message: expect.stringContaining(`${member}\` should have no control characters`) },
  ]);
});
