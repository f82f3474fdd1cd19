import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { ReferenceVasp } from '../../src/reference-vasp/vasp.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { REPORT } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';
import { until } from '../support/until.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await planSandbox(PATIENT);
});
afterAll(() => robot?.close());

const AMOUNT = '0.0123';

/** The VASP has paid the user of the robot before, and names its payment only now. */
async function paidBefore({ endpoints, token }: ReferenceVasp): Promise<() => Promise<void>> {
  const { api, info } = robot;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const described = await fetch(endpoints.driver!, { headers });
  const { customers } = (await described.json()) as { customers: { customers: object[] } };
  const { kind, names, accounts } = await api.user('risk-low');
  const beneficiary = { vaspId: info.robot.vaspId, user: { kind, names }, account: accounts.ETH };
  const parameters = { symbol: 'ETH', amount: AMOUNT, customer: customers.customers[0], beneficiary };
  const answerBy = new Date(Date.now() + 10_000).toISOString();
  const order = { runId: crypto.randomUUID(), module: 'W4.2', action: 'send-without-report', parameters, answerBy };
  const ordered = await fetch(endpoints.driver!, { method: 'POST', headers, body: JSON.stringify(order) });
  expect(ordered.status).toBeLessThan(300);
  const payment = async () => (await api.receivedPayments({ limit: 20 })).payments.find(each => each.amount === AMOUNT);
  await until(async () => {
    await api.advance('0s');
    return (await payment())?.status === 'CONFIRMED';
  });
  const [opened] = (await api.verifications({ limit: 1 })).verifications;
  return async () => {
    await api.reportTransaction(opened!.verificationUuid, (await payment())!.txHash);
    await until(async () => (await payment())!.status === 'CREDITED');
  };
}

test('D-18: a sound VASP passes W4.1 although an earlier payment to the same user is credited meanwhile', async () => {
  let credit: (() => Promise<void>) | undefined;
  const vasp = await joinSandbox({
    url: robot.url,
    boundary: {
      asking: next => async request => {
        if (new URL(request.url).pathname === REPORT) await credit?.();
        credit = undefined;
        return next(request);
      },
    },
  });
  onTestFinished(() => vasp.stop());
  credit = await paidBefore(vasp);
  const report = await runAgainst(robot.api, { modules: ['W4.1'], symbols: ['ETH'], wait: '20s' });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});
