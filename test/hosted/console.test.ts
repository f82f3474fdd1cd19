import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, OPERATOR_KEY, verificationBy } from '../support/world/hosted-world.ts';

const CHANGED = 'event: changed\ndata: \n\n';
const world = await forFile(createHostedWorld());
const tenant = await world.register({ name: 'Bright Exchange' });

const get = (path: string, cookie = '') =>
  fetch(world.url + path, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers });
async function signIn(apiKey: string): Promise<{ cookie: string; header: string; to: string | null }> {
  const answer = await post('/console/sign-in', { apiKey, to: '/console/usage' });
  const header = answer.headers.get('set-cookie') ?? '';
  return { cookie: header.split(';')[0]!, header, to: answer.headers.get('location') };
}

test('without a session every page leads to the sign-in page; guide and assets are public', async () => {
  for (const path of ['/console', '/console/verifications', '/console/operator', '/console/nothing']) {
    const answer = await get(path);
    expect([path, answer.status, answer.headers.get('location')?.split('?')[0]]).toEqual([
      path,
      303,
      '/console/sign-in',
    ]);
  }
  for (const path of ['/console/sign-in', '/console/assets/console.css', '/guide', '/docs'])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect((await post('/console/users/remove', { id: 'x' })).status).toBe(303);
  expect((await get('/console/json/sandbox/v1/info')).status).toBe(303);
});

test('a session is a cookie that the browser alone sends, without the key', async () => {
  const { cookie, header, to } = await signIn(tenant.apiKey);
  expect(to).toBe('/console/usage');
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/console']) expect(header).toContain(part);
  expect(header).not.toContain(tenant.apiKey);
  const page = await get('/console', cookie);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Bright Exchange');
  await post('/console/sign-out', {}, { cookie });
  expect((await get('/console', cookie)).status).toBe(303);
});

describe('the event stream of a page', () => {
  async function listen(cookie: string) {
    const stream = await get('/console/events', cookie);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    return async () => (await reader.read()).value;
  }

  test('ends with the session: a browser that has signed out hears of no change', async () => {
    const [one, other] = [await signIn(tenant.apiKey), await signIn(tenant.apiKey)];
    const [nextOfOne, nextOfOther] = [await listen(one.cookie), await listen(other.cookie)];
    expect([await nextOfOne(), await nextOfOther()]).toEqual([CHANGED, CHANGED]);
    await post('/console/sign-out', {}, { cookie: one.cookie });
    await tenant.api.verifyUser(await verificationBy(tenant));
    expect([await nextOfOne(), await nextOfOther()]).toEqual([undefined, expect.stringContaining(CHANGED)]);
  });

  test('without a session makes a page read itself, so that it leads to the sign-in page', async () => {
    const ofPage = { 'hx-request': 'true' };
    const stream = await fetch(`${world.url}/console/events`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(await stream.text()).toBe(CHANGED);
    const page = await fetch(`${world.url}/console`, { headers: ofPage });
    expect(page.headers.get('hx-redirect')).toBe('/console/sign-in?to=%2Fconsole');
  });
});

test('a stranger who plays the proxy changes neither the cookie nor an address', async () => {
  const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' };
  const signedIn = await post('/console/sign-in', { apiKey: tenant.apiKey, to: '/console' }, forged);
  const cookie = signedIn.headers.get('set-cookie')!;
  expect(cookie).toContain('Secure');
  const headers = { ...forged, cookie: cookie.split(';')[0]! };
  const page = await (await fetch(`${world.url}/console`, { headers })).text();
  expect(page).toContain('https://sandbox.example');
  expect(page).not.toContain('evil.example');
});

test('a wrong key opens no session, and nobody is led elsewhere', async () => {
  for (const apiKey of ['rv_main_wrong', 'rv_main_…']) {
    const answer = await post('/console/sign-in', { apiKey, to: '/console' });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
  }
  const away = await post('/console/sign-in', { apiKey: tenant.apiKey, to: 'https://evil.example' });
  expect(away.headers.get('location')).toBe('/console');
});

test('a page of another site changes nothing', async () => {
  const { cookie } = await signIn(tenant.apiKey);
  const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await post('/console/keys/create', { name: 'x' }, headers)).status).toBe(403);
});

describe('a VASP', () => {
  test('has every page but that of the operator', async () => {
    const { cookie } = await signIn(tenant.apiKey);
    const overview = await (await get('/console', cookie)).text();
    const paths = new Set([...overview.matchAll(/href="(\/console[^"?]*)"/g)].map(([, path]) => path!));
    expect(paths.size).toBeGreaterThan(12);
    for (const path of [...paths, '/console/usage']) {
      if (path.includes('/assets/')) continue;
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200]);
    }
    expect((await get('/console/operator', cookie)).status).toBe(404);
    expect(overview).not.toContain('Use our VASP');
  });

  test('saves the report of its check in every form, by its session and by its key', async () => {
    const { id } = await tenant.api.startRun({ plan: 'security', modules: ['S4'], unattended: true });
    await until(async () => (await tenant.api.run(id)).endedAt !== null);
    const { cookie } = await signIn(tenant.apiKey);
    const other = await signIn((await world.register()).apiKey);
    const page = await (await get(`/console/checks/${id}`, cookie)).text();
    const links = [...page.matchAll(/href="([^"]+)" download="report\.(\w+)"/g)];
    expect(links.map(([, , form]) => form)).toEqual(['html', 'jws', 'xml', 'json', 'md']);
    for (const [, path = '', form] of links) {
      const bySession = await get(path, cookie);
      const byKey = await fetch(`${world.url}/sandbox/v1/runs/${id}/report.${form}`, {
        headers: { authorization: `Bearer ${tenant.apiKey}` },
      });
      expect([form, bySession.status, byKey.status]).toEqual([form, 200, 200]);
      expect(bySession.headers.get('content-type')).toBe(byKey.headers.get('content-type'));
      expect((await bySession.text()).length).toBeGreaterThan(100);
      expect([form, (await get(path, other.cookie)).status]).toEqual([form, 404]);
    }
  });

  test('makes and revokes keys there; a revoked key ends its sessions', async () => {
    const { cookie } = await signIn(tenant.apiKey);
    const created = await (await post('/console/keys/create', { name: 'CI', scope: 'read' }, { cookie })).text();
    const [apiKey] = /rv_main_[\w-]{43}/.exec(created)!;
    const other = await signIn(apiKey);
    expect((await get('/console/usage', other.cookie)).status).toBe(200);
    const { keys } = await tenant.api.keys();
    await post('/console/keys/revoke', { key: keys.find(({ name }) => name === 'CI')!.id }, { cookie });
    expect((await get('/console/usage', other.cookie)).status).toBe(303);
  });
});

test('every place that the operator may choose is there', async () => {
  const { cookie } = await signIn(OPERATOR_KEY);
  const entries = (await (await get('/console/palette', cookie)).json()) as { href: string }[];
  expect(entries.map(({ href }) => href)).toContain('/console/operator');
  for (const { href } of entries) expect([href, (await get(href, cookie)).status]).toEqual([href, 200]);
});

test('the operator has one page, and invites, suspends and forgets there', async () => {
  const { cookie } = await signIn(OPERATOR_KEY);
  expect((await get('/console', cookie)).headers.get('location')).toBe('/console/operator');
  const page = await (await get('/console/operator', cookie)).text();
  expect(page).toMatch(/Retention.*Final verifications are deleted after 30 d\./s);
  expect(page).toContain('Bright Exchange');
  const invited = await post('/console/operator/invite', { name: 'New', expiresIn: '1d' }, { cookie });
  expect(await invited.text()).toMatch(/rvi_[\w-]{43}/);
  const other = await world.register({ name: 'Short lived' });
  await post('/console/operator/suspend', { vaspId: other.vaspId }, { cookie });
  expect((await other.api.call('GET', '/v1/vasps/self')).status).toBe(403);
  await post('/console/operator/forget', { vaspId: other.vaspId, confirm: other.vaspId }, { cookie });
  expect((await other.api.call('GET', '/v1/vasps/self')).status).toBe(401);
  expect((await get('/console/json/metrics', cookie)).status).toBe(404);
});

test('the operator sets a quota that the page names; text that is no number changes nothing', async () => {
  const { cookie } = await signIn(OPERATOR_KEY);
  const other = await world.register({ name: 'Quota Exchange' });
  const users = async () =>
    (await other.api.call<{ quotas: { users: { limit: number } } }>('GET', '/sandbox/v1/usage')).body.quotas.users
      .limit;
  const set = async (limit: string) =>
    (await post('/console/operator/quota', { vaspId: other.vaspId, quota: 'users', limit }, { cookie })).text();
  await set('7');
  expect(await (await get('/console/operator', cookie)).text()).toContain('<option value="users">Users</option>');
  for (const limit of ['many', '1e999', 'NaN', '-1']) {
    expect(await set(limit)).toContain('`quotas.users`'.replaceAll('`', ''));
    expect([limit, await users()]).toEqual([limit, 7]);
  }
  await set('');
  expect(await users()).toBe(1_000);
});

test('a fault whose number of times is no number is refused, and not ordered for ever', async () => {
  const { cookie } = await signIn(tenant.apiKey);
  for (const times of ['some', '1e999'])
    await post('/console/faults/add', { target: 'callback', mode: 'drop', times }, { cookie });
  expect((await tenant.api.faults()).faults).toEqual([]);
});

test('a tenant is offered the faucet, and no control of a chain that it may not turn', async () => {
  const { cookie } = await signIn(tenant.apiKey);
  const page = await (await get('/console/chains', cookie)).text();
  expect(page).toContain('id="faucet-ETH"');
  expect(page).not.toContain('id="control-');
  expect(page).toContain('Only the operator has its controls.');
});
