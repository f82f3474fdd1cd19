import { expect, test } from 'vitest';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';

test('the reference VASP passes the complete plan in XRP, also what needs no symbol', async () => {
  await using robot = await planSandbox(PATIENT);
  const report = await runPlan(robot, { symbols: ['XRP'], wait: '30s', inquiryWait: '30s' });
  expect(failedConditions(report)).toEqual([]);
  expect(report.result).toBe('PASSED');
}, 480_000);
