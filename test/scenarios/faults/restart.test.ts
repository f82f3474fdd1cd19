import { afterEach, beforeEach, expect, test } from 'vitest';
import { countsOf, hitsOn } from '../../support/http/observed-call.ts';
import { verifiedForRobot } from '../../support/requests/from-robot.ts';
import { verificationOf } from '../../support/requests/from-tested-vasp.ts';
import { createWorld, type World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ file: true });
});
afterEach(() => world.close());

test('faults and their counts survive a restart', async () => {
  await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 500, times: 3 });
  await world.api.addFault({ target: 'answer.list-vasps', mode: 'status', status: 500, times: 1 });
  await expect(world.api.self()).rejects.toMatchObject({ status: 500 });
  await expect(world.api.vasps()).rejects.toMatchObject({ status: 500 });
  await world.restart();
  expect(await countsOf(world)).toEqual(['answer.get-self status 1 2']);
  for (let i = 0; i < 2; i++) await expect(world.api.self()).rejects.toMatchObject({ status: 500 });
  expect(await world.api.self()).toEqual({ vaspId: world.vaspId });
  expect(await world.api.vasps()).toMatchObject({ vasps: expect.any(Array) });
});

test('a delayed callback stays delayed after a restart, and counts as one use', async () => {
  await world.api.addFault({ target: 'callback', mode: 'delay', delay: '10m', times: 2 });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.advance('9m');
  await world.restart();
  expect(await countsOf(world)).toEqual(['callback delay 1 1']);
  expect(world.vasp.callbacks(uuid)).toEqual([]);
  await world.advance('1m');
  expect(world.vasp.callbacks(uuid)).toHaveLength(1);
  expect(await countsOf(world)).toEqual(['callback delay 1 1']);
});

test('the robot’s late answer stays late after a restart', async () => {
  await world.api.addFault({ target: 'robot.verifyUser', mode: 'delay', delay: '3s', times: 1 });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.advance('2s');
  await world.restart();
  await world.idle();
  expect((await world.api.verification(uuid)).result).toBeUndefined();
  await world.advance('1s');
  expect((await world.api.verification(uuid)).result).toBe('VERIFIED');
  expect(await hitsOn(world, uuid)).toHaveLength(1);
});

test('a reordered callback still waits after a restart', async () => {
  await world.api.addFault({ target: 'callback', mode: 'reorder', times: 1 });
  const { uuid } = await verifiedForRobot(world);
  await world.api.robotReport(uuid, `0x${'aa'.repeat(32)}`);
  await world.idle();
  await world.restart();
  await world.idle();
  expect(world.vasp.callbacks(uuid)).toEqual([]);
  await world.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED');
  await world.idle();
  expect(world.vasp.callbacks(uuid).map(each => each.callbackType)).toEqual(['ERROR_REPORT', 'TX_REPORT']);
});
