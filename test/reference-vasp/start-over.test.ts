import { expect, onTestFinished, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { createRobot } from '../../src/testing.ts';
import { until } from '../support/until.ts';

test.each(ASSET_SYMBOLS)(
  'D-33: pays on after the ledger of %s has started over, which has left it nothing',
  async symbol => {
    const robot = await createRobot();
    onTestFinished(() => robot.close());
    const vasp = await joinSandbox({ url: robot.url });
    onTestFinished(() => vasp.stop());
    await vasp.funded;
    await robot.control(symbol, 'start-over', {});
    const { kind, names, accounts } = robot.user('taylor-robbins');
    const beneficiary = { vaspId: robot.robotVaspId, user: { kind, names }, account: accounts[symbol] };
    const headers = { authorization: `Bearer ${vasp.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ customerId: 'main', symbol, amount: '0.5', beneficiary });
    const answer = await fetch(`${vasp.url}/withdrawals`, { method: 'POST', headers, body });
    const { id } = (await answer.json()) as { id: string };
    const read = async () => (await fetch(`${vasp.url}/withdrawals/${id}`, { headers })).json();
    await until(async () => ((await read()) as { state: string }).state === 'DONE');
    await until(async () => (await robot.api.balance(vasp.vaspId, symbol, accounts[symbol])).value === '0.5');
    expect(await read()).toMatchObject({ state: 'DONE' });
  },
);
