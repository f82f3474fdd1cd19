import { expect, onTestFinished, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { QUOTA_NAMES, QUOTA_RULES, TRIAL, WHOLE_QUOTAS } from '../../src/contract/tenancy.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, verificationBy } from '../support/world/hosted-world.ts';

/** Strangers start without the operator, a few of each network, for a few days. */

const ENV = { REGISTRATION: 'trial', TRUSTED_PROXIES: '127.0.0.1/32' };
const DAY_MS = 86_400_000;

const databaseIn = scratchDatabase();
const world = await forFile(createHostedWorld(ENV));

interface Trial {
  vaspId: string;
  apiKey: string;
  signingSecret: string;
  trialEndsAt: string;
  code?: string;
  message?: string;
}
const from = (address: string, at = world) => client(at.url, { headers: { 'x-forwarded-for': address } });
async function start(address: string, more: object = {}, at = world) {
  const { status, headers, body } = await from(address, at).call<Trial>('POST', '/sandbox/v1/registrations', {
    name: 'Stranger',
    ...more,
  });
  return { status, headers, ...body, api: client(at.url, { apiKey: body.apiKey }) };
}
const statusOf = async (apiKey: string, at = world) =>
  (await client(at.url, { apiKey }).call('GET', '/sandbox/v1/usage')).status;
const auditOf = async (vaspId: string) => {
  const { entries } = await world.operator.audit({ order: 'newest', limit: 500 });
  return entries.filter(({ target }) => target.startsWith(vaspId)).map(({ action, role }) => [action, role]);
};

test('one request makes a VASP with a tenth of the quotas, a key and a signing secret', async () => {
  const { status, vaspId, apiKey, signingSecret, trialEndsAt, api } = await start('198.51.100.1');
  expect(status).toBe(201);
  expect(apiKey).toMatch(/^rv_main_/);
  expect(signingSecret).toMatch(/^whsec_/);
  expect(trialEndsAt).toBe(new Date(world.machine.at + TRIAL.lastsMs).toISOString());
  const usage = await api.usage();
  expect(usage).toMatchObject({ vaspId, trialEndsAt });
  const { quotas: whole } = await (await world.register()).api.usage();
  for (const name of QUOTA_NAMES)
    expect(usage.quotas[name].limit, name).toBe(
      WHOLE_QUOTAS.includes(name) ? whole[name].limit : Math.ceil(whole[name].limit / 10),
    );
  expect(usage.quotas.runs.limit).toBe(1);
  expect((await api.info()).users.length).toBeGreaterThan(5);
  const { verificationUuid } = await api.verifyUser(await verificationBy({ api }));
  expect(verificationUuid).toBeDefined();
  await expect.poll(() => auditOf(vaspId)).toContainEqual(['trial started', 'nobody']);
  const { tenants } = await world.operator.tenants({ limit: 100 });
  expect(tenants.find(tenant => tenant.vaspId === vaspId)).toMatchObject({ trialEndsAt });
});

test('a network of addresses has a few in a day, also over several addresses of it', async () => {
  for (const last of [1, 7, 9]) expect((await start(`203.0.113.${last}`)).status).toBe(201);
  const refused = await start('203.0.113.200');
  expect(refused).toMatchObject({ status: 429, code: 'QUOTA-EXCEEDED' });
  expect(refused.message).toContain('3 in 24 hours from one network of addresses');
  expect(Number(refused.headers.get('retry-after'))).toBe(DAY_MS / 1_000);
  expect((await start('203.0.114.1')).status).toBe(201);

  for (const last of ['1', 'ffff', '1:2:3']) expect((await start(`2001:db8:0:7::${last}`)).status).toBe(201);
  expect((await start('2001:db8:0:7:ffff::1')).status).toBe(429);
  expect((await start('2001:db8:0:8::1')).status).toBe(201);
  // An IPv4 address in the notation of IPv6 is the same client.
  expect((await start('::ffff:203.0.113.9')).status).toBe(429);
});

test('whoever is no trusted proxy cannot name another address', async () => {
  const alone = await createHostedWorld({ REGISTRATION: 'trial' });
  onTestFinished(() => alone.close());
  for (let sent = 0; sent < 3; sent++) expect((await start(`192.0.2.${sent}`, {}, alone)).status).toBe(201);
  for (const address of ['192.0.2.77', '198.18.0.1, 203.0.113.4', '2001:db8::9'])
    expect((await start(address, {}, alone)).status).toBe(429);
  const invitation = await alone.invite();
  const invited = await start('192.0.2.78', { invitation }, alone);
  expect(invited.status).toBe(201);
  expect(invited.trialEndsAt).toBeUndefined();
  expect((await invited.api.usage()).quotas.users.limit).toBe(QUOTA_RULES.users.default);
});

test('a trial has no id of its choice, and a sandbox without trials has none', async () => {
  expect(await start('198.51.100.2', { vaspId: '4711' })).toMatchObject({ status: 400, code: 'BAD-REQUEST' });
  const closed = await createHostedWorld();
  onTestFinished(() => closed.close());
  expect(await start('198.51.100.2', {}, closed)).toMatchObject({ status: 400, code: 'MISSING-INVITATION' });
  expect((await fetch(`${closed.url}/console/trial`, { method: 'POST' })).status).not.toBe(201);
  expect(await (await fetch(`${closed.url}/console/sign-in`)).text()).not.toContain('/console/trial');
});

test('an invitation claims a trial once: its key and its data stay, and its quotas are the ordinary ones', async () => {
  const { api, apiKey, vaspId } = await start('198.51.100.3');
  const other = await start('198.51.100.4');
  const invitation = await world.invite();
  const claim = (of: typeof api, token: string) =>
    of.call<{ code: string }>('POST', '/sandbox/v1/registrations/claim', { invitation: token });
  expect((await claim(api, 'rvi_wrong')).status).toBe(401);
  expect(await claim(api, invitation)).toMatchObject({ status: 200, body: { vaspId } });
  expect((await claim(other.api, invitation)).status).toBe(401);
  expect((await claim(api, await world.invite())).status).toBe(400);
  expect(await api.usage()).toMatchObject({
    trialEndsAt: null,
    quotas: { users: { limit: QUOTA_RULES.users.default } },
  });
  await expect.poll(() => auditOf(vaspId)).toContainEqual(['trial claimed', 'vasp']);
  expect(await statusOf(apiKey)).toBe(200);
});

test('the operator claims a trial, and the audit log says what else has changed', async () => {
  const { vaspId, api } = await start('198.51.101.1');
  await world.operator.changeTenant(vaspId, { claimed: true, quotas: { users: 7 } });
  await expect(world.operator.changeTenant(vaspId, { claimed: true })).rejects.toThrow('is for a trial');
  await expect(world.operator.changeTenant(vaspId, { claimed: false as never })).rejects.toThrow(
    '`claimed` should be `true`.',
  );
  await world.operator.changeTenant(vaspId, { suspended: true });
  await world.operator.changeTenant(vaspId, { suspended: false, quotas: { users: null } });
  expect(await api.usage()).toMatchObject({ trialEndsAt: null });
  await expect
    .poll(async () => {
      const { entries } = await world.operator.audit({ order: 'newest', limit: 100 });
      return entries.filter(entry => entry.target.startsWith(`${vaspId}`)).map(entry => [entry.action, entry.target]);
    })
    .toEqual(
      expect.arrayContaining([
        ['trial claimed', vaspId],
        ['quota users', `${vaspId}: as configured → 7`],
        ['suspended', vaspId],
        ['resumed', vaspId],
        ['quota users', `${vaspId}: 7 → as configured`],
      ]),
    );
});

test('a trial ends by the clock of the machine, is forgotten, and shows its end in its stream', async () => {
  const env = { ...ENV, DATABASE_PATH: databaseIn('trials.sqlite') };
  let here = await createHostedWorld(env);
  onTestFinished(() => here.close());
  const at = here.machine.at;
  const ending = await start('198.51.100.5', {}, here);
  const kept = await start('198.51.100.6', {}, here);
  await here.operator.changeTenant(kept.vaspId, { claimed: true });
  for (const last of [7, 8, 9]) await start(`198.51.102.${last}`, {}, here);
  await here.close();

  here = await createHostedWorld(env);
  here.machine.at = at + DAY_MS - 1;
  expect((await start('198.51.102.1', {}, here)).status).toBe(429);
  here.machine.at = at + DAY_MS;
  expect((await start('198.51.102.1', {}, here)).status).toBe(201);

  here.machine.at = at + TRIAL.lastsMs - 1;
  const events = client(here.url, { apiKey: ending.apiKey }).events({ kind: 'trial' });
  const heard = (async () => {
    for await (const { event, data } of events) return { event, data };
    return undefined;
  })();
  expect(await statusOf(ending.apiKey, here)).toBe(200);
  await new Promise(resolve => setTimeout(resolve, 100));
  here.machine.at = at + TRIAL.lastsMs;
  expect(await heard).toMatchObject({ event: 'trial', data: { from: 'TRIAL', to: 'ENDED' } });
  await expect.poll(() => statusOf(ending.apiKey, here), { timeout: 10_000 }).toBe(401);
  expect(await statusOf(kept.apiKey, here)).toBe(200);
  const { tenants } = await here.operator.tenants({ limit: 100 });
  expect(tenants.map(({ vaspId }) => vaspId)).not.toContain(ending.vaspId);
  expect(tenants.map(({ vaspId }) => vaspId)).toContain(kept.vaspId);
  const { entries } = await here.operator.audit({ order: 'newest', limit: 100 });
  expect(entries.filter(({ action }) => action === 'trial ended')).toHaveLength(4);
}, 30_000);

test('the sandbox has a most of trials at once', async () => {
  const here = await createHostedWorld(ENV);
  onTestFinished(() => here.close());
  for (let n = 0; n < TRIAL.atOnce; n++)
    expect((await start(`10.${Math.floor(n / 200)}.${n % 200}.1`, {}, here)).status).toBe(201);
  const refused = await start('10.9.9.9', {}, here);
  expect(refused).toMatchObject({ status: 429, code: 'QUOTA-EXCEEDED' });
  expect(refused.message).toContain('200 at once in this sandbox');
  expect((await start('10.9.9.9', { invitation: await here.invite() }, here)).status).toBe(201);
}, 30_000);

test('the sign-in page starts a trial, shows its secrets once, and is signed in', async () => {
  const headers = { 'x-forwarded-for': '198.51.103.1', 'x-forwarded-proto': 'https' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const page = await (await fetch(`${world.url}/console/sign-in`, { headers })).text();
  expect(page).toContain('action="/console/trial"');
  expect(page).toContain('ends after 7 days');
  const started = await fetch(`${world.url}/console/trial`, {
    method: 'POST',
    headers: { ...headers, ...form },
    body: 'name=Web+Stranger',
  });
  expect(started.status).toBe(201);
  expect(started.headers.get('cache-control')).toBe('no-store');
  const text = await started.text();
  expect(text).toMatch(/rv_main_[\w-]{43}/);
  expect(text).toContain('whsec_');
  const [, ends = ''] = /<time class="time" datetime="([^"]*)"/.exec(text) ?? [];
  // By the clock of the machine, whatever the time of the VASP is.
  const distance = `${Math.floor(Math.abs(Date.parse(ends) - Date.now()) / DAY_MS)} d`;
  expect(text).toContain(distance);
  const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
  const usage = await (await fetch(`${world.url}/console/usage`, { headers: { ...headers, cookie } })).text();
  expect(usage).toContain('This is a trial.');
  expect(usage).toContain(distance);
  const invitation = await world.invite();
  const claimed = await fetch(`${world.url}/console/usage/claim`, {
    method: 'POST',
    headers: { ...headers, ...form, cookie },
    body: `invitation=${invitation}`,
  });
  expect(await claimed.text()).toContain('stays for good');
  const foreign = await fetch(`${world.url}/console/trial`, {
    method: 'POST',
    headers: { ...headers, ...form, origin: 'https://evil.example' },
    body: '',
  });
  expect(foreign.status).toBe(403);
});
