import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunReport } from '../../src/contract/plans.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await planSandbox(PATIENT);
});
afterAll(() => robot?.close());

/** The digits that the run drew, after those that count its modules. */
const drawn = ({ modules }: RunReport): string[] =>
  modules
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ operation }) => operation === 'verify-user')
    .map(({ request }) => JSON.parse(request!).assetInfo.amount.slice('0.001110011'.length));

test('runs of several VASPs at the same time have other amounts', async () => {
  const settings = { modules: ['W3.a'], symbols: ['ETH'] };
  const reports = await Promise.all(Array.from({ length: 6 }, () => runPlan(robot, settings)));
  const amounts = reports.flatMap(drawn);
  expect(amounts.map(each => each.length)).toEqual(Array(6).fill(4));
  expect(new Set(amounts).size).toBeGreaterThan(3);
});
