import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await createRobot();
}, 30_000);
afterAll(() => robot?.close());

test('it does not act before it runs', async () => {
  const act = robot.api.letReferenceVaspAct({ action: 'withdraw', symbol: 'ETH', amount: '0.1' });
  await expect(act).rejects.toThrow(/409 NOT-RUNNING/);
});

test('it starts once, fills the sandbox, and stops without a trace', async () => {
  const [state, again] = await Promise.all([
    robot.api.switchReferenceVasp(true),
    robot.api.switchReferenceVasp(true),
  ]);
  expect(state).toMatchObject({ running: true, vaspId: robot.vaspId });
  expect(again.url).toBe(state.url);
  expect(state.customers.map(({ id }) => id)).toContain('main');

  const { verifications } = await robot.api.fill();
  expect(verifications.filter(({ result }) => result === 'VERIFIED')).toHaveLength(4 * ASSET_SYMBOLS.length);
  for (const { verificationUuid, result } of verifications)
    expect((await robot.api.verification(verificationUuid)).result).toBe(result);

  expect(await robot.api.switchReferenceVasp(false)).toMatchObject({ running: false, url: null });
  const { vasps } = await robot.api.registeredVasps();
  expect(vasps.find(({ vaspId }) => vaspId === robot.vaspId)).toMatchObject({
    name: 'Tested VASP',
    endpoints: {},
  });
});

test('it does not take the place of a VASP with addresses of its own', async () => {
  const callback = 'http://127.0.0.1:9/callback';
  await robot.api.registerVasp(robot.vaspId, { name: 'Ours', endpoints: { callback } });
  const refusal = await robot.api.switchReferenceVasp(true).catch(error => error);
  expect(refusal).toBeInstanceOf(Refused);
  expect([refusal.status, refusal.code]).toEqual([409, 'PLACE-TAKEN']);
});
