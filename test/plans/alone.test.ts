import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODULES } from '../../src/plans/catalogue.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';

/** What a developer does who works on one module: it plays by itself as in the plan. */

let robot: Robot;
beforeAll(async () => {
  robot = await planSandbox(PATIENT);
});
afterAll(() => robot?.close());

const LEDGER_OF_ITS_OWN = ['D16'];
const others = MODULES.map(({ id }) => id).filter(id => !LEDGER_OF_ITS_OWN.includes(id));

async function plays(id: string): Promise<void> {
  const report = await runPlan(robot, { modules: [id], wait: '30s', inquiryWait: '30s' });
  expect(failedConditions(report)).toEqual([]);
  const own = report.modules.filter(module => module.applies !== false);
  expect(own.map(({ result, skippedBecause }) => [result, skippedBecause])).toEqual(
    own.map(() => ['PASSED', null]),
  );
  expect(report.result).toBe('PASSED');
}

describe.concurrent('a sound VASP passes one module', () => {
  test.each(others)('%s', plays, 300_000);
});
describe('a sound VASP passes one module that has the ledger for itself', () => {
  test.each(LEDGER_OF_ITS_OWN)('%s', plays, 300_000);
});
