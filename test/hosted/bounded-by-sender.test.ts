import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, verificationBy } from '../support/world/hosted-world.ts';

/** A quota counts what its VASP did. What another VASP does costs that one. */

const world = await forFile(createHostedWorld());
const alice = await world.registerServed({ name: 'Alice' });
const bob = await world.registerServed({ name: 'Bob' });

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

async function sentToBob(): Promise<string> {
  const request = { ...(await verificationBy(alice)), beneficiaryVaspId: bob.vaspId };
  const { verificationUuid } = await alice.api.verifyUser(request);
  await alice.vasp.arrived('callback', verificationUuid, 1);
  return verificationUuid;
}

test('verifications that another VASP sends take none of the room of a VASP, and a reset frees what it deletes', async () => {
  await world.operator.changeTenant(bob.vaspId, { quotas: { verificationsKept: 3 } });
  for (let n = 0; n < 5; n++) await sentToBob();
  const request = await verificationBy(bob);
  for (let n = 0; n < 3; n++) await bob.api.verifyUser(request);
  await expect(bob.api.verifyUser(request)).rejects.toMatchObject({ status: 429, code: 'QUOTA-EXCEEDED' });
  expect((await bob.api.usage()).quotas.verificationsKept.used).toBe(3);
  await bob.api.reset();
  expect((await bob.api.usage()).quotas.verificationsKept.used).toBe(0);
  await bob.api.verifyUser(request);
});

test('reports to another VASP have a quota of the VASP that reports, those to the robot have none', async () => {
  const [toBob, again] = [await sentToBob(), await sentToBob()];
  const { verificationUuid: toRobot } = await alice.api.verifyUser(await verificationBy(alice));
  await alice.vasp.arrived('callback', toRobot, 1);
  await world.operator.changeTenant(alice.vaspId, { quotas: { reportsPerDay: 2 } });
  await alice.api.reportTransaction(toBob, hash(1));
  await alice.api.reportTransaction(toBob, hash(2));
  await alice.api.reportTransaction(toBob, hash(2));
  const refused = { status: 429, code: 'QUOTA-EXCEEDED' };
  await expect(alice.api.reportTransaction(toBob, hash(3))).rejects.toMatchObject(refused);
  await expect(alice.api.reportError(again, 'ERROR', 'USER-CANCELED')).rejects.toMatchObject(refused);
  await alice.api.reportTransaction(toRobot, hash(4));
  await bob.vasp.arrived('callback', toBob, 2);
  const told = async (verificationUuid: string) => (await bob.api.callbacks({ verificationUuid })).callbacks;
  expect((await told(toBob)).map(({ data }) => data.txHash).toSorted()).toEqual([hash(1), hash(2)]);
  expect(await told(again)).toEqual([]);
});

test('a refused call that nothing has read keeps the beginning of its body', async () => {
  const { verificationUuid } = await alice.api.verifyUser(await verificationBy(alice));
  const body = JSON.stringify({ verificationUuid, pad: 'x'.repeat(60_000) });
  const { status } = await alice.api.call('POST', '/v1/nowhere', body);
  expect(status).toBe(404);
  const { exchanges } = await alice.api.exchanges({ verificationUuid, status: '404' });
  expect(exchanges).toHaveLength(1);
  expect(exchanges[0]!.request!.length).toBeLessThan(2_100);
  expect(exchanges[0]!.request).toMatch(/more characters\)$/);
});

const FLOOD = 40;

test('B7: a VASP whose address another one floods is served meanwhile: its calls, its results, its lists', async () => {
  const request = { ...(await verificationBy(alice)), beneficiaryVaspId: bob.vaspId };
  const ownRequest = await verificationBy(bob);
  const countOf = async (actionType: 'SEND' | 'RECEIVE') => (await bob.api.list({ actionType })).count;
  const [ownBefore, foreignBefore] = [await countOf('SEND'), await countOf('RECEIVE')];
  await world.operator.changeTenant(bob.vaspId, { quotas: { verificationsKept: ownBefore + 3 } });
  bob.vasp.script('verifyUser', undefined, 'never');
  const flood = await Promise.all(Array.from({ length: FLOOD }, () => alice.api.verifyUser(request)));
  await bob.vasp.arrived('verifyUser', undefined, 1);
  for (let n = 0; n < 3; n++) {
    const { verificationUuid } = await bob.api.verifyUser(ownRequest);
    await bob.vasp.arrived('callback', verificationUuid, 1);
    expect((await bob.api.verification(verificationUuid)).result).toBe('VERIFIED');
    expect(await bob.api.why(verificationUuid)).toMatchObject({ verificationUuid });
  }
  expect(await countOf('SEND')).toBe(ownBefore + 3);
  expect(await countOf('RECEIVE')).toBe(foreignBefore + FLOOD);
  const asked = await Promise.all(flood.map(each => alice.api.verification(each.verificationUuid)));
  expect(asked.filter(({ result }) => result === undefined)).toHaveLength(FLOOD);
});
