import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await createRobot();
}, 30_000);
afterAll(() => robot?.close());

test('it starts once and stops without a trace', async () => {
  const [state, again] = await Promise.all([
    robot.api.switchReferenceVasp(true),
    robot.api.switchReferenceVasp(true),
  ]);
  expect(state).toMatchObject({ running: true, vaspId: robot.vaspId });
  expect(again.url).toBe(state.url);
  expect(state.customers.map(({ id }) => id)).toContain('main');

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

test('while a ledger drops the payment of the faucet it is refused, and starts at the next try', async () => {
  const dropping = await createRobot();
  onTestFinished(() => dropping.close());
  await dropping.api.call('POST', '/sandbox/v1/chains/XRP/drop', {});
  const refusal = await dropping.api.switchReferenceVasp(true).catch(error => error);
  expect([refusal.status, refusal.code]).toEqual([400, 'CHAIN-REFUSED']);
  expect(refusal.reason).toContain('no ledger took the payment');
  expect(await dropping.api.switchReferenceVasp(true)).toMatchObject({ running: true });
});

test('while a ledger takes no payment of the faucet it is refused with the reason, and starts afterwards', async () => {
  const held = await createRobot();
  onTestFinished(() => held.close());
  await held.api.call('POST', '/sandbox/v1/chains/XRP/hold', { on: true });
  const refusal = await held.api.switchReferenceVasp(true).catch(error => error);
  expect([refusal.status, refusal.code, refusal.reason]).toEqual([
    400,
    'CHAIN-REFUSED',
    expect.stringMatching(/`running` cannot be true now: .*the knob `hold` is on/),
  ]);
  await held.api.call('POST', '/sandbox/v1/chains/XRP/hold', { on: false });
  expect(await held.api.switchReferenceVasp(true)).toMatchObject({ running: true });
});
