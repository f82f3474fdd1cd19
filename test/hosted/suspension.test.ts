import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOnce } from '../support/open-once.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import { createHostedWorld, type HostedTenant, verificationBy } from '../support/world/hosted-world.ts';

const world = openOnce(() => createHostedWorld());
let vasps: Record<'alice' | 'bob', TestedVasp>;
let alice: HostedTenant;
let bob: HostedTenant;
beforeAll(async () => {
  vasps = { alice: await testedVasp(), bob: await testedVasp() };
  alice = await world.register({ name: 'Alice', endpoints: vasps.alice.endpoints });
  bob = await world.register({ name: 'Bob', endpoints: vasps.bob.endpoints });
});
afterAll(async () => {
  await Promise.all(Object.values(vasps).map(vasp => vasp.close()));
});

async function verifiedByBob(): Promise<string> {
  const request = { ...(await verificationBy(bob)), beneficiaryVaspId: alice.vaspId };
  const { verificationUuid } = await bob.api.verifyUser(request);
  await vasps.bob.arrived('callback', verificationUuid, 1);
  return verificationUuid;
}

const cancel = (uuid: string) => bob.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');

test('callbacks to a suspended VASP wait for the end of the suspension', async () => {
  const [first, second] = [await verifiedByBob(), await verifiedByBob()];
  await world.operator.changeTenant(alice.vaspId, { suspended: true });
  await cancel(first);
  await cancel(second);
  const { verificationUuid: later } = await bob.api.verifyUser(await verificationBy(bob));
  await vasps.bob.arrived('callback', later, 1);
  expect(vasps.alice.received('callback')).toEqual([]);
  await world.operator.changeTenant(alice.vaspId, { suspended: false });
  for (const uuid of [first, second]) {
    const [callback] = await vasps.alice.arrived('callback', uuid, 1);
    expect(callback?.body.callbackType).toBe('ERROR_REPORT');
  }
  const outcomes = async () =>
    (await alice.api.callbacks()).callbacks.map(({ status, attempts }) => [status, attempts.length]);
  await expect.poll(outcomes, { timeout: 20_000 }).toEqual([
    ['DELIVERED', 1],
    ['DELIVERED', 1],
  ]);
});

test('status queries to a suspended VASP wait for the end of the suspension', async () => {
  const verified = async (tenant: HostedTenant, vasp: TestedVasp) => {
    const { verificationUuid } = await tenant.api.verifyUser(await verificationBy(tenant));
    await vasp.arrived('callback', verificationUuid, 1);
    await tenant.api.advance('599s');
    return verificationUuid;
  };
  const ofAlice = await verified(alice, vasps.alice);
  const ofBob = await verified(bob, vasps.bob);
  await world.operator.changeTenant(alice.vaspId, { suspended: true });
  world.machine.at += 10_000;
  await vasps.bob.arrived('transactionStatus', ofBob, 1);
  expect(vasps.alice.received('transactionStatus')).toEqual([]);
  await world.operator.changeTenant(alice.vaspId, { suspended: false });
  await vasps.alice.arrived('transactionStatus', ofAlice, 1);
  const queries = async () =>
    (await alice.api.timeline(ofAlice)).timeline.filter(({ event }) => event === 'transaction-inquired');
  await expect.poll(queries).toHaveLength(1);
  expect(vasps.alice.received('transactionStatus')).toHaveLength(1);
  const { pending } = await alice.api.timeline(ofAlice);
  expect(pending.map(({ kind }) => kind)).toEqual(['robot.deposit.inquire']);
});

test('a verification of a suspended VASP ends by its time-out, and its callback waits for the end of the suspension', async () => {
  vasps.bob.script('verifyUser', undefined, 'never');
  const request = { ...(await verificationBy(alice)), beneficiaryVaspId: bob.vaspId };
  const { verificationUuid } = await alice.api.verifyUser(request);
  await vasps.bob.arrived('verifyUser', verificationUuid, 1);
  await world.operator.changeTenant(alice.vaspId, { suspended: true });
  world.machine.at += 60_000;
  const reason = async () => (await bob.api.verification(verificationUuid)).reason;
  await expect.poll(reason, { timeout: 20_000 }).toBe('REQUEST-TIMEOUT');
  expect(vasps.alice.received('callback', verificationUuid)).toEqual([]);
  await world.operator.changeTenant(alice.vaspId, { suspended: false });
  const [callback] = await vasps.alice.arrived('callback', verificationUuid, 1);
  expect(callback?.body).toMatchObject({
    callbackType: 'VERIFICATION_RESULT',
    data: { verificationUuid, reason: 'REQUEST-TIMEOUT' },
  });
});
