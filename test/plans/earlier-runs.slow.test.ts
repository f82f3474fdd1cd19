import { expect, onTestFinished, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { balanceWrongBy, neverPays } from '../support/plans/break-a-rule.ts';
import { asksEdited, USER } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));

/** The customer sees the first payment that is reported with the second one. */
function creditsWithTheNext(): Boundary {
  const amounts = new Map<string, string>();
  const reported = new Set<string>();
  return balanceWrongBy(({ assetInfo, verificationUuid, callbackType, data }) => {
    if (assetInfo) amounts.set(verificationUuid, assetInfo.amount);
    if (callbackType === 'TX_REPORT') reported.add(data.verificationUuid);
    const [first] = reported;
    return reported.size === 1 ? -toUnits(amounts.get(first!)!, 18) : 0n;
  });
}

test('REF-4.6.2: a VASP that never pays is blamed, although the sandbox stood still in an earlier run', async () => {
  await using impatient = await planSandbox();
  const settings = { symbols: ['ETH'], wait: '2s' };
  const stands: Boundary = {
    serving: next => request => {
      for (const end = performance.now() + 1_300; performance.now() < end; );
      return next(request);
    },
  };
  await runPlan(impatient, { ...settings, modules: ['C5'] }, { boundary: stands });
  const { modules } = await runPlan(impatient, { ...settings, modules: ['W3.j'] }, { boundary: neverPays });
  const judged = modules[0]!.conditions.find(({ id }) => id === 'W3.j.one-transfer');
  expect([judged?.result, judged?.got]).toEqual(['FAILED', 'no payment']);
}, 60_000);

test('WIRE-3.4: a payment of an earlier run that is credited only now says nothing about this run', async () => {
  const vasp = await joinSandbox({ url: robot.url, boundary: creditsWithTheNext() });
  onTestFinished(() => vasp.stop());
  const settings = { symbols: ['ETH'], modules: ['D3'], wait: '3s' };
  expect(failedConditions(await runAgainst(robot.api, settings))).toEqual(['D3.credited']);
  const report = await runAgainst(robot.api, settings);
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});

test('REF-2.2: a price that was wrong in an earlier run says nothing about one that is right now', async () => {
  let factor = 1_000;
  const boundary = asksEdited(USER, ({ assetInfo }) => {
    assetInfo.tradePrice = String(Number(assetInfo.tradePrice) * factor);
  });
  const vasp = await joinSandbox({ url: robot.url, boundary });
  onTestFinished(() => vasp.stop());
  const settings = { symbols: ['XRP'], wait: '20s' };
  await runAgainst(robot.api, { ...settings, modules: ['W3.a'] });
  factor = 1;
  const report = await runAgainst(robot.api, { ...settings, modules: ['W3.y'] });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});
