import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client } from '../../src/client/client.ts';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import { type CellsWorld, createCellsWorld } from '../support/world/cells-world.ts';
import { OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** A VASP moves from one cell to another with its open verification, by the commands of the operator. */

const FROM = '0x5811001506550d8356a215be229c15b6ef371a9b';
let world: CellsWorld;
let vasp: TestedVasp;
beforeAll(async () => {
  [world, vasp] = [await createCellsWorld({ VASP_TIMEOUT_USER: '20m' }), await testedVasp()];
});
afterAll(async () => {
  await world?.close();
  await vasp?.close();
});

const command = (...argv: string[]) => robotVasp(argv, { ROBOT_VASP_URL: world.url, OPERATOR_KEY });

async function verify(api: Client, userId: string): Promise<string> {
  const { users, robot } = await api.info();
  const user = users.find(({ id }) => id === userId)!;
  const request = userRequest({ robotVaspId: robot.vaspId, user, symbol: 'ETH', amount: '0.024', from: FROM });
  return (await api.verifyUser(request)).verificationUuid;
}

test('open verifications, callbacks, users and secrets go with it; its money and its key do not', async () => {
  const { vaspId, apiKey } = await world.register('a', { endpoints: vasp.endpoints });
  const before = client(world.url, { apiKey });
  const { signingSecret } = await before.rollSigningSecret();
  const done = await verify(before, 'taylor-robbins');
  await vasp.ordinary.callbackOf(done, 'VERIFICATION_RESULT');
  await before.addFault({ target: 'robot.verifyUser', mode: 'delay', delay: '5m', times: 1 });
  const open = await verify(before, 'taylor-robbins');
  expect((await before.timeline(open)).timeline.length).toBeGreaterThan(0);
  const user = { kind: 'natural' as const, names: { lastName: 'Moved', firstName: 'Mo' }, kyc: true };
  await before.putUser('moved-user', user);

  const early = await command('export', '--vasp', vaspId, '--cell', 'a');
  const file = join(world.cells.get('a')!.folder, 'vasp.json');
  writeFileSync(file, early.stdout);
  const active = await command('import', file, '--cell', 'b');
  expect([active.code, active.stderr]).toEqual([4, expect.stringContaining('suspend the VASP')]);

  await world.operator('a').changeTenant(vaspId, { suspended: true });
  const exported = await command('export', '--vasp', vaspId, '--cell', 'a');
  expect(exported.code).toBe(0);
  for (const secret of [signingSecret, apiKey]) expect(exported.stdout).not.toContain(secret);
  writeFileSync(file, exported.stdout);
  const imported = await command('import', file, '--cell', 'b');
  expect(imported.code).toBe(0);
  const newKey = imported.stdout.trim();
  expect(newKey).toMatch(/^rv_b_/);
  expect(await world.statusOf(apiKey)).toBe(403);
  await world.operator('a').forgetTenant(vaspId);
  expect(await world.statusOf(apiKey)).toBe(401);

  const after = client(world.url, { apiKey: newKey });
  expect((await after.verification(done)).result).toBe('VERIFIED');
  expect((await after.users()).users.map(({ id }) => id)).toContain('moved-user');
  expect((await after.callbacks({ verificationUuid: done })).callbacks[0]).toMatchObject({
    status: 'DELIVERED',
    attempts: [{ status: 200 }],
  });
  expect((await after.timeline(done)).timeline.length).toBeGreaterThan(3);
  expect((await after.verification(open)).result).toBeUndefined();
  await after.advance('5m');
  const [callback] = await vasp.arrived('callback', open, 1);
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map(name => [name, callback!.headers.get(name) ?? '']));
  expect(new Webhook(signingSecret).verify(callback!.text, headers)).toEqual(callback!.body);
  expect((await after.verification(open)).result).toBe('VERIFIED');
  const again = await command('import', file, '--cell', 'b');
  expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('registered already')]);
});
