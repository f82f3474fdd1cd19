import { describe, expect, test } from 'vitest';
import { DRIVER_ACTIONS, type DriverRequest, OMISSIONS } from '../../src/contract/customers.ts';
import { MODULES } from '../../src/plans/catalogue.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** What a developer does who works on one module: it plays by itself as in the plan. */

const robot = await forFile(planSandbox(PATIENT));

const LEDGER_OF_ITS_OWN = ['D16'];
const others = MODULES.map(({ id }) => id).filter(id => !LEDGER_OF_ITS_OWN.includes(id));

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

async function plays(id: string): Promise<void> {
  const settings = { modules: [id], wait: '30s', inquiryWait: '30s' };
  const report = await runPlan(robot, settings, { boundary });
  expect(failedConditions(report)).toEqual([]);
  const own = report.modules.filter(module => module.applies !== false);
  expect(own.map(({ result, skippedBecause }) => [result, skippedBecause])).toEqual(own.map(() => ['PASSED', null]));
  expect(report.result).toBe('PASSED');
}

describe.concurrent('a sound VASP passes one module', () => {
  test.each(others)('%s', plays, 300_000);
});
describe('a sound VASP passes one module that has the ledger for itself', () => {
  test.each(LEDGER_OF_ITS_OWN)('%s', plays, 300_000);
});

/** Beside XRP they take XRP, also above. */
test('a sound VASP passes in ETH what needs no symbol', async () => {
  const modules = MODULES.filter(({ symbols }) => symbols?.length === 0).map(({ id }) => id);
  const report = await runPlan(robot, { modules, symbols: ['ETH'], wait: '30s', inquiryWait: '30s' });
  expect(failedConditions(report)).toEqual([]);
  expect(report.result).toBe('PASSED');
  expect(report.modules.length).toBeGreaterThan(1);
}, 300_000);

test('the modules order everything that the schema of the driver names', () => {
  expect([...actions].sort()).toEqual(Object.keys(DRIVER_ACTIONS).sort());
  expect([...omissions].sort()).toEqual(Object.keys(OMISSIONS).sort());
});
