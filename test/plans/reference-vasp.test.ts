import { expect, test } from 'vitest';
import { DRIVER_ACTIONS, type DriverRequest, OMISSIONS } from '../../src/contract/driver.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';

const actions = new Set<string>();
const omissions = new Set<string>();
const boundary: Boundary = {
  serving: next => async request => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/driver') return next(request);
    const { action, parameters } = (await request.clone().json()) as DriverRequest;
    actions.add(action);
    for (const each of parameters.omit ?? []) omissions.add(each);
    return next(request);
  },
};

// `reference-vasp-xrp.test.ts` plays it for one symbol.
test('the reference VASP passes the complete plan in both symbols', async () => {
  await using robot = await planSandbox(PATIENT);
  const settings = { wait: '30s', inquiryWait: '30s' };
  const report = await runPlan(robot, settings, { boundary });
  expect(failedConditions(report)).toEqual([]);
  expect(report.result).toBe('PASSED');
}, 480_000);

test('the plan orders everything that the schema of the driver names', () => {
  expect([...actions].sort()).toEqual(Object.keys(DRIVER_ACTIONS).sort());
  expect([...omissions].sort()).toEqual(Object.keys(OMISSIONS).sort());
});
