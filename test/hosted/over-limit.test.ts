import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, verificationBy } from '../support/world/hosted-world.ts';

const world = await forFile(createHostedWorld());

test('a VASP that goes on after its limit gets its refusals, and the others are served', async () => {
  const [greedy, other] = [await world.register(), await world.register()];
  const request = await verificationBy(other);
  await world.operator.changeTenant(greedy.vaspId, { quotas: { requestsPerSecond: 0, burst: 3 } });
  const send = () => greedy.api.call<{ code?: string }>('POST', '/v1/verifications', request);
  const answers = Array.from({ length: 40 }, send);
  const { verificationUuid } = await other.api.verifyUser(request);
  const codes = (await Promise.all(answers)).map(({ status, body }) => `${status} ${body.code ?? ''}`);
  expect(codes.filter(each => each === '200 ')).toHaveLength(3);
  expect(codes.filter(each => each === '429 RATE-LIMITED')).toHaveLength(37);
  expect((await other.api.verification(verificationUuid)).result).toBe('VERIFIED');
});

test('a VASP that resets much data keeps nobody waiting until the end', async () => {
  const [greedy, other] = [await world.register(), await world.register()];
  for (const { vaspId } of [greedy, other])
    await world.operator.changeTenant(vaspId, { quotas: { requestsPerSecond: 10_000, burst: 10_000 } });
  const request = await verificationBy(greedy);
  for (let sent = 0; sent < 500; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => greedy.api.verifyUser(request)));
  const { verificationUuid } = await greedy.api.verifyUser(request);
  let isReset = false;
  const reset = greedy.api.reset().then(() => {
    isReset = true;
  });
  let served = 0;
  for (; !isReset; served++) expect((await other.api.call('GET', '/v1/vasps/self')).status).toBe(200);
  await reset;
  expect(served).toBeGreaterThan(3);
  expect((await greedy.api.call('GET', `/v1/verifications/${verificationUuid}`)).status).toBe(404);
  expect(await greedy.api.verifications()).toMatchObject({ verifications: [] });
  expect((await greedy.api.exchanges({})).exchanges.filter(each => each.method === 'POST')).toEqual([]);
});

test('a change of the limit and a suspension count at once', async () => {
  const { api, vaspId } = await world.register();
  const statusOf = async () => {
    const { status, body } = await api.call<{ code?: string }>('GET', '/v1/vasps/self');
    return `${status} ${body.code ?? ''}`;
  };
  const change = (values: Parameters<typeof world.operator.changeTenant>[1]) =>
    world.operator.changeTenant(vaspId, values);
  await change({ quotas: { requestsPerSecond: 0, burst: 0 } });
  expect(await statusOf()).toBe('429 RATE-LIMITED');
  await change({ suspended: true });
  expect(await statusOf()).toBe('403 SUSPENDED');
  await change({ suspended: false, quotas: { requestsPerSecond: 50, burst: 100 } });
  expect(await statusOf()).toBe('200 ');
});
