import { expect, onTestFinished, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { asksEdited, USER } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));

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
