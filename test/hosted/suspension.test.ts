import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type ServedTenant, verificationBy } from '../support/world/hosted-world.ts';

const world = await forFile(createHostedWorld());
const alice = await world.registerServed({ name: 'Alice' });
const bob = await world.registerServed({ name: 'Bob' });

async function verifiedByBob(): Promise<string> {
  const request = { ...(await verificationBy(bob)), beneficiaryVaspId: alice.vaspId };
  const { verificationUuid } = await bob.api.verifyUser(request);
  await bob.vasp.arrived('callback', verificationUuid, 1);
  return verificationUuid;
}

const cancel = (uuid: string) => bob.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');

test('callbacks to a suspended VASP wait for the end of the suspension', async () => {
  const [first, second] = [await verifiedByBob(), await verifiedByBob()];
  await world.operator.changeTenant(alice.vaspId, { suspended: true });
  await cancel(first);
  await cancel(second);
  const { verificationUuid: later } = await bob.api.verifyUser(await verificationBy(bob));
  await bob.vasp.arrived('callback', later, 1);
  expect(alice.vasp.received('callback')).toEqual([]);
  await world.operator.changeTenant(alice.vaspId, { suspended: false });
  for (const uuid of [first, second]) {
    const [callback] = await alice.vasp.arrived('callback', uuid, 1);
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
  const verified = async (tenant: ServedTenant) => {
    const { verificationUuid } = await tenant.api.verifyUser(await verificationBy(tenant));
    await tenant.vasp.arrived('callback', verificationUuid, 1);
    await tenant.api.advance('599s');
    return verificationUuid;
  };
  const ofAlice = await verified(alice);
  const ofBob = await verified(bob);
  await world.operator.changeTenant(alice.vaspId, { suspended: true });
  world.machine.at += 10_000;
  await bob.vasp.arrived('transactionStatus', ofBob, 1);
  expect(alice.vasp.received('transactionStatus')).toEqual([]);
  await world.operator.changeTenant(alice.vaspId, { suspended: false });
  await alice.vasp.arrived('transactionStatus', ofAlice, 1);
  const queries = async () =>
    (await alice.api.timeline(ofAlice)).timeline.filter(({ event }) => event === 'transaction-inquired');
  await expect.poll(queries).toHaveLength(1);
  expect(alice.vasp.received('transactionStatus')).toHaveLength(1);
  const { pending } = await alice.api.timeline(ofAlice);
  expect(pending.map(({ kind }) => kind)).toEqual(['robot.deposit.inquire']);
});

test('a verification of a suspended VASP ends by its time-out, and its callback waits for the end of the suspension', async () => {
  bob.vasp.script('verifyUser', undefined, 'never');
  const request = { ...(await verificationBy(alice)), beneficiaryVaspId: bob.vaspId };
  const { verificationUuid } = await alice.api.verifyUser(request);
  await bob.vasp.arrived('verifyUser', verificationUuid, 1);
  await world.operator.changeTenant(alice.vaspId, { suspended: true });
  world.machine.at += 60_000;
  const reason = async () => (await bob.api.verification(verificationUuid)).reason;
  await expect.poll(reason, { timeout: 20_000 }).toBe('REQUEST-TIMEOUT');
  expect(alice.vasp.received('callback', verificationUuid)).toEqual([]);
  await world.operator.changeTenant(alice.vaspId, { suspended: false });
  const [callback] = await alice.vasp.arrived('callback', verificationUuid, 1);
  expect(callback?.body).toMatchObject({
    callbackType: 'VERIFICATION_RESULT',
    data: { verificationUuid, reason: 'REQUEST-TIMEOUT' },
  });
});
