import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import type { Reply } from '../support/vasp/tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant, verificationBy } from '../support/world/hosted-world.ts';

/** The reset of a VASP sets its clock back. Its verifications with other VASPs stay: they belong to both. */

const DAY_MS = 86_400_000;

const world = await forFile(createHostedWorld({ VASP_TIMEOUT_USER: '1s' }));

interface Kept {
  createdAt: string;
  verifiedAt: string | null;
  result: string | null;
}
const keptOf = async ({ api }: HostedTenant, uuid: string) =>
  (await api.call<Kept>('GET', `/v1/verifications/${uuid}`)).body;

/** A verification between two VASPs, a year ahead on the clock of the first one. */
async function ahead() {
  const sender = await world.register();
  const receiver = await world.registerServed();
  await sender.api.advance('365d');
  const request = { ...(await verificationBy(sender)), beneficiaryVaspId: receiver.vaspId };
  const { verificationUuid: uuid } = await sender.api.verifyUser(request);
  return { sender, receiver, request, uuid };
}

test('no verification keeps a time of the future, and the newest one comes first', async () => {
  const { sender, receiver, request, uuid } = await ahead();
  await until(async () => Boolean((await keptOf(sender, uuid)).result));
  await sender.api.reset();
  for (const each of [sender, receiver]) {
    const { createdAt, verifiedAt } = await keptOf(each, uuid);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(world.machine.at);
    if (verifiedAt !== null) expect(Date.parse(verifiedAt)).toBeLessThanOrEqual(world.machine.at);
  }
  world.machine.at += DAY_MS;
  const { verificationUuid: newest } = await sender.api.verifyUser(request);
  const { verifications } = await sender.api.verifications();
  expect(verifications.map(each => each.verificationUuid)).toEqual([newest, uuid]);
});

test('open verifications end by their time-out all the same, also those that wait for a connection', async () => {
  const { sender, receiver, request } = await ahead();
  receiver.vasp.script('verifyUser', undefined, 'never');
  for (let sent = 0; sent < 100; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => sender.api.verifyUser(request)));
  await sender.api.reset();
  world.machine.at += 2_000;
  const open = async ({ api }: HostedTenant) =>
    (await api.verifications({ limit: 200 })).verifications.filter(({ status }) => status === 'OPEN').length;
  await expect.poll(() => open(receiver), { timeout: 10_000 }).toBe(0);
  expect(await open(sender)).toBe(0);
});

/** A verification between two VASPs that has its result; the first one answers callbacks so. */
async function shared(callbacks: Reply = 'ordinary') {
  const sender = await world.registerServed();
  sender.vasp.script('callback', undefined, callbacks);
  const receiver = await world.registerServed();
  const request = { ...(await verificationBy(sender)), beneficiaryVaspId: receiver.vaspId };
  const { verificationUuid: uuid } = await sender.api.verifyUser(request);
  await until(async () => Boolean((await keptOf(sender, uuid)).result));
  return { ...sender, uuid };
}

test('a callback that waits for its next attempt is sent again', async () => {
  const { api, vasp, uuid } = await shared({ status: 503, body: {} });
  const callback = async () => (await api.callbacks({ verificationUuid: uuid })).callbacks[0];
  await until(async () => (await callback())?.attempts.length === 1);
  vasp.script('callback', undefined, 'ordinary');
  await api.reset();
  await until(async () => (await callback())?.status === 'DELIVERED');
});

test('an assessment that waits for its provider ends', async () => {
  const { api, uuid } = await shared();
  await api.assessWco({ verificationUuid: uuid });
  const status = async () => (await api.assessments({ verificationUuid: uuid })).assessments[0]?.status;
  expect(await status()).toBe('REGISTERED');
  await api.reset();
  await until(async () => (await status()) === 'PROCESSED');
});
