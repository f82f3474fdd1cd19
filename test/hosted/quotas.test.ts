import { describe, expect, test } from 'vitest';
import { gate } from '../support/timers/test-timers.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, verificationBy } from '../support/world/hosted-world.ts';

const FROM = '0x5811001506550d8356a215be229c15b6ef371a9b';
const XRP_ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const MODES = ['drop', 'never-answer'];
interface Refusal {
  code: string;
  message: string;
}

const world = await forFile(
  createHostedWorld({
    REGISTRATION: 'open',
    QUOTA_VERIFICATIONS_PER_DAY: '2',
    QUOTA_USERS: '1',
    QUOTA_STREAMS: '1',
    QUOTA_MAILBOX_WAITS: '1',
    QUOTA_FAUCET_ETH: '3',
    QUOTA_FAUCET_XRP: '5',
    QUOTA_FAULTS: '1',
    QUOTA_RUNS: '1',
  }),
);
const tenant = await world.register();

test('requests: the answer tells limit and rest, the one too many waits', async () => {
  const other = await world.register();
  await world.operator.changeTenant(other.vaspId, { quotas: { requestsPerSecond: 0, burst: 3 } });
  const answers = [];
  for (let sent = 0; sent < 5; sent++) answers.push(await other.api.call<{ code?: string }>('GET', '/v1/vasps/self'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"requests";q=3;w=3600');
  expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"requests";r=2;t=\d+$/);
  const late = answers[4]!;
  expect([late.body.code, late.headers.get('retry-after')]).toEqual(['RATE-LIMITED', '3600']);
  expect(late.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=3600$/);
  expect((await tenant.api.call('GET', '/v1/vasps/self')).status).toBe(200);
});

describe('a quota that is used up', () => {
  test('verifications per day: which, how much, until when; the next day begins anew', async () => {
    const request = await verificationBy(tenant);
    for (let sent = 0; sent < 2; sent++) await tenant.api.verifyUser(request);
    const { status, body, headers } = await tenant.api.call<{ code: string; message: string }>(
      'POST',
      '/v1/verifications',
      request,
    );
    expect([status, body.code]).toEqual([429, 'QUOTA-EXCEEDED']);
    expect(body.message).toMatch(/verificationsPerDay \(2 verifications per day, 2 used\).*2026-07-16T00:00/);
    expect(Number(headers.get('retry-after'))).toBe(14 * 3_600);
    const { quotas } = await tenant.api.usage();
    expect(quotas.verificationsPerDay).toEqual({ limit: 2, used: 2, freesAt: '2026-07-16T00:00:00.000Z' });
    world.machine.at += 14 * 3_600_000;
    await tenant.api.verifyUser(request);
    await world.operator.changeTenant(tenant.vaspId, { quotas: { verificationsPerDay: 1 } });
    await expect(tenant.api.verifyUser(request)).rejects.toThrow(/QUOTA-EXCEEDED/);
  });

  test('the same request again with its key costs nothing and is answered at a full quota', async () => {
    const { api, vaspId, apiKey } = await world.register();
    const { path, body } = (
      await api.call<{ path: string; body: object }>('GET', '/sandbox/v1/requests/robot-verify-user?symbol=ETH')
    ).body;
    const send = async (key: string) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': key };
      const answer = await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, ...((await answer.json()) as { verificationUuid?: string }) };
    };
    const first = await send('one');
    expect(first.status).toBe(200);
    await world.operator.changeTenant(vaspId, { quotas: { verificationsPerDay: 1 } });
    expect(await send('one')).toEqual(first);
    expect((await send('two')).status).toBe(429);
    await world.operator.changeTenant(vaspId, { quotas: { verificationsPerDay: 9, verificationsKept: 1 } });
    expect(await send('one')).toEqual(first);
    expect((await send('two')).status).toBe(429);
    expect((await api.usage()).quotas.verificationsPerDay.used).toBe(1);
  });

  test('users', async () => {
    const user = { kind: 'natural' as const, names: { lastName: 'A', firstName: 'B' }, kyc: true };
    await tenant.api.putUser('one', user);
    await tenant.api.putUser('one', user);
    await expect(tenant.api.putUser('two', user)).rejects.toThrow(/QUOTA-EXCEEDED.*users \(1 users, 1 used\)/);
  });

  test('keys: one can be rolled without an overlap, and one that has expired makes room', async () => {
    const { api, vaspId } = await world.register();
    await world.operator.changeTenant(vaspId, { quotas: { keys: 2 } });
    const add = (more = {}) => api.call<Refusal & { id: string }>('POST', '/sandbox/v1/keys', { name: 'k', ...more });
    const { body } = await add({ expiresIn: '1h' });
    const roll = (overlap: string) => api.call<Refusal>('POST', `/sandbox/v1/keys/${body.id}/roll`, { overlap });
    for (const { status, body } of [await add(), await roll('1h')])
      expect([status, body.code, body.message]).toEqual([
        429,
        'QUOTA-EXCEEDED',
        expect.stringContaining('keys (2 keys, 2 used)'),
      ]);
    expect((await api.usage()).quotas.keys).toEqual({ limit: 2, used: 2, freesAt: null });
    expect((await roll('0s')).status).toBe(200);
    expect((await add()).status).toBe(429);
    world.machine.at += 2 * 3_600_000;
    expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(429);
  });

  test.each([
    ['faults', 'PUT', '/sandbox/v1/faults', (at: number) => ({ target: 'callback', mode: MODES[at] })],
    ['runs', 'POST', '/sandbox/v1/runs', () => ({ plan: 'security', modules: ['S4'], unattended: true })],
  ])('%s: which, how much, and when to try again', async (quota, method, path, body) => {
    const { api, vaspId } = await world.register();
    if (quota === 'runs') await world.operator.changeTenant(vaspId, { quotas: { runs: 0 } });
    else expect((await api.call(method, path, body(0))).status).toBe(200);
    const { status, body: refusal, headers } = await api.call<Refusal>(method, path, body(1));
    expect([status, refusal.code, headers.get('retry-after')]).toEqual([429, 'QUOTA-EXCEEDED', '10']);
    expect(refusal.message).toContain(`${quota} (`);
    // To replace is not to add.
    if (quota === 'faults') expect((await api.call(method, path, body(0))).status).toBe(200);
  });

  test('waiting reads of the mailbox and of runs', async () => {
    const { api, apiKey } = await world.register();
    const end = new AbortController();
    const headers = { authorization: `Bearer ${apiKey}` };
    const waiting = () =>
      fetch(`${world.url}/sandbox/v1/mailbox?wait=60s`, { headers, signal: end.signal }).catch(() => undefined);
    const all = [waiting(), waiting()];
    const first = await Promise.race(all);
    expect([first?.status, first?.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await api.call('GET', '/sandbox/v1/mailbox')).status).toBe(200);
    expect((await api.call('GET', '/sandbox/v1/runs/x?wait=1s')).status).toBe(429);
    expect((await api.call('GET', '/sandbox/v1/runs/x')).status).toBe(404);
    end.abort();
    await Promise.all(all);
  });

  test('the faucet', async () => {
    await tenant.api.faucet('ETH', FROM, '2.5');
    await expect(tenant.api.faucet('ETH', FROM, '0.6')).rejects.toThrow(/QUOTA-EXCEEDED.*faucetEth/);
    const others = [{ address: FROM, amount: '0.4' }];
    await expect(tenant.api.faucet('ETH', FROM, '0.2', { others })).rejects.toThrow(/QUOTA-EXCEEDED.*faucetEth/);
    await tenant.api.faucet('ETH', FROM, '0.5');
    expect((await world.operator.faucet('ETH', FROM, '10')).txHash).toMatch(/^0x/);
    const other = await world.register();
    await expect(other.api.faucet('XRP', XRP_ACCOUNT, '5.1')).rejects.toThrow(/QUOTA-EXCEEDED.*faucetXrp/);
  });

  test('the faucet of a deposit', async () => {
    const { api } = await world.registerServed();
    const { steps } = await api.sendTransfer({ symbol: 'ETH', amount: '100' });
    expect(steps.at(-1)).toEqual({
      step: 'FUND',
      done: false,
      text: expect.stringMatching(/^QUOTA-EXCEEDED: .*faucetEth.* does not cover this request/),
      calls: [],
    });
    expect((await api.usage()).quotas.faucetEth.used).toBe(0);
  });
});

test('callbacks in flight: the next ones wait until the VASP has answered', async () => {
  const slow = await createHostedWorld({ QUOTA_CALLBACKS_IN_FLIGHT: '2', VASP_TIMEOUT_CALLBACK: '60s' });
  const { api, vasp } = await slow.registerServed();
  const answer = gate();
  vasp.script('callback', undefined, answer.opened);
  const request = await verificationBy({ api });
  const uuids = [];
  for (let sent = 0; sent < 5; sent++) uuids.push((await api.verifyUser(request)).verificationUuid);
  await vasp.arrived('callback', undefined, 2);
  for (const uuid of uuids) expect((await api.verification(uuid)).result).toBe('VERIFIED');
  expect(vasp.received('callback')).toHaveLength(2);
  answer.open();
  expect(await vasp.arrived('callback', undefined, 5)).toHaveLength(5);
  await slow.close();
});

test('registration=open: so many registrations per hour from one address', async () => {
  const register = () => world.stranger.call('POST', '/sandbox/v1/registrations', { name: 'Open' });
  const statuses = [];
  for (let sent = 0; sent < 6; sent++) statuses.push((await register()).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  expect((await world.register()).vaspId).toMatch(/^\d+$/);
});

test('the IPv6 addresses of one network share the limit of registrations', async () => {
  const proxied = await createHostedWorld({ REGISTRATION: 'open', TRUSTED_PROXIES: '127.0.0.0/8' });
  const statusFrom = async (address: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ name: 'Open' });
    return (await fetch(`${proxied.url}/sandbox/v1/registrations`, { method: 'POST', headers, body })).status;
  };
  const statuses = [];
  for (let host = 1; host <= 6; host++) statuses.push(await statusFrom(`2001:db8:1:2::${host}`));
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  expect(await statusFrom('2001:db8:1:3::1')).toBe(201);
  await proxied.close();
});
