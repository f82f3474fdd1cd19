import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, verificationBy } from '../support/world/hosted-world.ts';

/** A quota is spent in the transaction that does the work, in decimals. */

const FROM = '0x5811001506550d8356a215be229c15b6ef371a9b';
const NEW_ACCOUNT = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const USER = { kind: 'natural', names: { lastName: 'A', firstName: 'B' }, kyc: true };
const FAULTS = ['drop', 'never-answer', 'duplicate', 'malformed'].map(mode => ({ target: 'callback', mode }));

const world = await forFile(createHostedWorld());

test('a key of the robot makes no call of the enclave free', async () => {
  const { api, vaspId, apiKey } = await world.register();
  const { path, body } = (
    await api.call<{ path: string; body: object }>('GET', '/sandbox/v1/requests/robot-verify-user?symbol=ETH')
  ).body;
  const statusOf = async (path: string, body: object, key: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': key };
    return (await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  expect(await statusOf(path, body, 'used')).toBe(200);
  await world.operator.changeTenant(vaspId, { quotas: { verificationsPerDay: 1 } });
  const request = await verificationBy({ api });
  expect(await statusOf('/v1/verifications', request, 'used')).toBe(429);
  expect((await api.usage()).quotas.verificationsPerDay.used).toBe(1);
});

test.each([
  ['of the enclave', '/v1/verifications'],
  ['of the robot', '/vega/robot/v1.0/action/verifications'],
])('20 calls %s at once: no more pass than the quota allows', async (_, path) => {
  const { api, vaspId } = await world.register();
  const { body } = (await api.call<{ body: object }>('GET', `/sandbox/v1/requests/robot-verify-user`)).body;
  const request = path.startsWith('/v1') ? await verificationBy({ api }) : body;
  const sent = (quotas: object) =>
    world.operator
      .changeTenant(vaspId, { quotas })
      .then(() => Promise.all(Array.from({ length: 20 }, () => api.call('POST', path, request))));
  const passed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;
  expect(passed(await sent({ verificationsPerDay: 2 }))).toBe(2);
  expect((await api.usage()).quotas.verificationsPerDay.used).toBe(2);
  expect(passed(await sent({ verificationsPerDay: 99, verificationsKept: 5 }))).toBe(3);
  expect((await api.usage()).quotas).toMatchObject({
    verificationsPerDay: { used: 5 },
    verificationsKept: { used: 5 },
  });
});

test.each([
  ['users', 'PUT', (at: number) => `/sandbox/v1/users/user-${at}`, () => USER],
  ['faults', 'PUT', () => '/sandbox/v1/faults', (at: number) => FAULTS[at % FAULTS.length]!],
  ['keys', 'POST', () => '/sandbox/v1/keys', (at: number) => ({ name: `key ${at}` })],
])('%s: 20 at once, no more than the quota', async (quota, method, path, body) => {
  const { api, vaspId } = await world.register();
  await world.operator.changeTenant(vaspId, { quotas: { [quota]: 2 } });
  await Promise.all(Array.from({ length: 20 }, (_, at) => api.call(method, path(at), body(at))));
  expect((await api.usage()).quotas[quota as 'users'].used).toBe(2);
});

test('the faucet counts in decimals: three times 0.1 are 0.3', async () => {
  const { api, vaspId } = await world.register();
  await world.operator.changeTenant(vaspId, { quotas: { faucetEth: 0.3 } });
  for (let sent = 0; sent < 3; sent++) await api.faucet('ETH', FROM, '0.1');
  await expect(api.faucet('ETH', FROM, '0.000000000000000001')).rejects.toThrow(/faucetEth \(0.3 ETH .*, 0.3 used\)/);
  expect((await api.usage()).quotas.faucetEth.used).toBe(0.3);
  await world.operator.changeTenant(vaspId, { quotas: { faucetEth: 0.3000001 } });
  await api.faucet('ETH', FROM, '0.0000001');
  await expect(api.faucet('ETH', FROM, '0.0000001')).rejects.toThrow(/QUOTA-EXCEEDED/);
});

test('what is given back after midnight takes nothing from the next day', async () => {
  const { api, vaspId } = await world.register();
  await world.operator.changeTenant(vaspId, { quotas: { faucetXrp: 100 } });
  const used = async () => (await api.usage()).quotas.faucetXrp.used;
  await world.operator.setControl('XRP', 'drop');
  const refused = api.call('POST', '/sandbox/v1/faucet', { symbol: 'XRP', address: NEW_ACCOUNT, amount: '50' });
  await expect.poll(used).toBe(50);
  world.machine.at += 86_400_000;
  // No ledger takes it: then it is refused.
  for (let closed = 0; closed < 21; closed++) await world.operator.setControl('XRP', 'close');
  expect((await refused).status).toBe(400);
  expect(await used()).toBe(0);
});
