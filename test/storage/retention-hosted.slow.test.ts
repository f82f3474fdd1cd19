import { expect, onTestFinished, test } from 'vitest';
import { readEvents } from '../support/http/event-reader.ts';
import { until } from '../support/until.ts';
import { createHostedWorld, verificationBy } from '../support/world/hosted-world.ts';

/** RETENTION and AUDIT_RETENTION, by the clock of the machine. The first sweep comes 5 s after a start. */

const DAY_MS = 86_400_000;

async function tenant() {
  const world = await createHostedWorld({ RETENTION: '30d' });
  onTestFinished(world.close);
  const { api, apiKey, vaspId } = await world.register();
  const call = async <T>(path: string, body: object, headers: Record<string, string>): Promise<T> => {
    const sent = { authorization: `Bearer ${apiKey}`, ...headers };
    const answer = await fetch(world.url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
    return (await answer.json()) as T;
  };
  const exported = async () =>
    (await world.operator.call<Record<string, object[]>>('GET', `/sandbox/v1/tenants/${vaspId}/export`)).body;
  return { api, call, machine: world.machine, exported };
}

test('a run of checks that ended long ago goes with its evidence, and a young one stays', async () => {
  const { api, machine } = await tenant();
  const read = (id: string) => api.call<{ endedAt?: string }>('GET', `/sandbox/v1/runs/${id}`);
  const ended = async () => {
    const { id } = await api.startRun({ plan: 'security', modules: ['S4'], unattended: true } as never);
    await until(async () => Boolean((await read(id)).body.endedAt));
    return id;
  };
  /** All events of runs, up to those of this one. */
  const told = async (id: string): Promise<string> => {
    const reader = readEvents(api, { after: '0', kind: 'run' });
    await reader.hears(({ data }) => JSON.stringify(data).includes(id));
    await reader.cut();
    return JSON.stringify(reader.heard);
  };
  const old = await ended();
  expect(await told(old)).toContain(old);
  machine.at += 31 * DAY_MS;
  const young = await ended();
  await until(async () => (await read(old)).status === 404);
  expect(await told(young)).not.toContain(old);
  expect((await read(young)).status).toBe(200);
});

test('a VASP that moves its clock on: its data go as early as those of others, and no earlier', async () => {
  const { api, machine } = await tenant();
  const request = await verificationBy({ api } as never);
  const verify = async () => {
    const { verificationUuid } = await api.verifyUser(request);
    await api.advance('40d');
    return verificationUuid;
  };
  const status = async (uuid: string) => (await api.call('GET', `/v1/verifications/${uuid}`)).status;
  await api.advance('100d');
  machine.at += DAY_MS;
  const old = await verify();
  machine.at += 31 * DAY_MS;
  const young = [await verify(), await verify()];
  await until(async () => (await status(old)) === 404);
  for (const uuid of young) expect(await status(uuid)).toBe(200);
});

test('AUDIT_RETENTION: an old entry of the audit log goes, and a young one stays', async () => {
  const world = await createHostedWorld({ RETENTION: '0s', AUDIT_RETENTION: '90d' });
  onTestFinished(world.close);
  const { api } = await world.register();
  const own = async () => {
    const { body } = await api.call<{ entries: { action: string }[] }>('GET', '/sandbox/v1/audit');
    return body.entries.map(({ action }) => action);
  };
  await api.call('POST', '/sandbox/v1/signing-secret/roll', {});
  world.machine.at += 91 * DAY_MS;
  await api.call('POST', '/sandbox/v1/keys', { name: 'young', scope: 'read' });
  await until(async () => (await own()).length === 1);
  expect(await own()).toEqual(['POST /sandbox/v1/keys']);
});

test('who has submitted a transaction is forgotten, and the deposit stays with its VASP', async () => {
  const { api, machine, exported } = await tenant();
  const { users } = await api.info();
  const pay = async (amount: string) => (await api.faucet('ETH', users[0]!.accounts.ETH, amount)).txHash;
  const old = await pay('0.1');
  machine.at += 31 * DAY_MS;
  const young = await pay('0.2');
  await until(async () => (await exported()).submissions?.length === 1);
  const { submissions, deposits } = await exported();
  expect(submissions).toMatchObject([{ txHash: young }]);
  expect(deposits).toMatchObject([{ txHash: old }, { txHash: young }]);
});

test('the answer to a repeated request goes as early as its verification', async () => {
  const { api, machine, exported, call } = await tenant();
  const { body } = await api.call<{ path: string; body: object }>(
    'GET',
    '/sandbox/v1/requests/robot-verify-user?symbol=ETH',
  );
  const ask = async (key: string) =>
    (await call<{ verificationUuid: string }>(body.path, body.body, { 'idempotency-key': key })).verificationUuid;
  const [old, again] = [await ask('old'), await ask('old')];
  expect(again).toBe(old);
  machine.at += 31 * DAY_MS;
  const young = await ask('young');
  await until(async () => (await exported()).answers?.length === 1);
  expect(await ask('young')).toBe(young);
  expect(await ask('old')).not.toBe(old);
});
