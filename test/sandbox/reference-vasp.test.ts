import { expect, onTestFinished, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(createRobot());

test('it starts once and stops without a trace', async () => {
  const [state, again] = await Promise.all([robot.api.switchReferenceVasp(true), robot.api.switchReferenceVasp(true)]);
  expect(state).toMatchObject({ running: true, vaspId: robot.vaspId });
  expect(again.url).toBe(state.url);
  expect(state.customers.map(({ id }) => id)).toContain('main');

  expect(await robot.api.switchReferenceVasp(false)).toMatchObject({ running: false, url: null });
  const { vasps } = await robot.api.registeredVasps();
  expect(vasps.find(({ vaspId }) => vaspId === robot.vaspId)).toMatchObject({ name: 'Tested VASP', endpoints: {} });
});

test('it does not take the place of a VASP with addresses of its own', async () => {
  const callback = 'http://127.0.0.1:9/callback';
  await robot.api.registerVasp(robot.vaspId, { name: 'Ours', endpoints: { callback } });
  const refusal = await robot.api.switchReferenceVasp(true).catch(error => error);
  expect(refusal).toBeInstanceOf(Refused);
  expect([refusal.status, refusal.code]).toEqual([409, 'PLACE-TAKEN']);
});

/** Drops at the XRP account of the reference VASP. */
async function dropsOf({ url, api }: Robot): Promise<number> {
  const { customers } = await api.referenceVasp();
  const [account] = customers[0]!.accounts.XRP!.split(':');
  const body = JSON.stringify({ method: 'account_info', params: [{ account }] });
  const answer = await fetch(`${url}/devnet/xrpl`, { method: 'POST', body });
  const { result } = (await answer.json()) as { result: { account_data?: { Balance: string } } };
  return Number(result.account_data?.Balance ?? 0);
}

test('while a ledger drops the payment of the faucet it starts, and gets its money at the next try', async () => {
  const dropping = await createRobot();
  onTestFinished(() => dropping.close());
  await dropping.api.call('POST', '/sandbox/v1/chains/XRP/drop', {});
  expect(await dropping.api.switchReferenceVasp(true)).toMatchObject({ running: true });
  await until(async () => (await dropsOf(dropping)) > 0);
});

test('while a ledger takes no payment of the faucet it starts without money, and gets it afterwards', async () => {
  const held = await createRobot();
  onTestFinished(() => held.close());
  await held.api.call('POST', '/sandbox/v1/chains/XRP/hold', { on: true });
  expect(await held.api.switchReferenceVasp(true)).toMatchObject({ running: true });
  expect(await dropsOf(held)).toBe(0);
  await held.api.call('POST', '/sandbox/v1/chains/XRP/hold', { on: false });
  await until(async () => (await dropsOf(held)) > 0);
});
