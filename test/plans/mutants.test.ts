import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODULES } from '../../src/plans/catalogue.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { fallen, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { MUTANTS, WITHOUT_MUTANT } from './mutants.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await planSandbox();
}, 60_000);
afterAll(() => robot?.close());

const CONDITIONS = MODULES.flatMap(({ id, conditions }) =>
  Object.keys(conditions).map(word => `${id}.${word}`),
);
const hasMutant = (id: string) => MUTANTS.some(({ falls, alike }) => falls === id || alike?.test(id));

test('every condition has a mutant, or is listed as one without', () => {
  const missing = CONDITIONS.filter(id => !hasMutant(id) && !WITHOUT_MUTANT.some(each => each.test(id)));
  expect(missing).toEqual([]);
  expect(CONDITIONS.filter(id => hasMutant(id) && WITHOUT_MUTANT.some(each => each.test(id)))).toEqual([]);
  expect(MUTANTS.filter(({ falls }) => !CONDITIONS.includes(falls))).toEqual([]);
});

test.each(MUTANTS)(
  '$falls falls, and nothing else',
  async ({ falls, with: others = [], symbol = 'ETH', boundary }) => {
    const [module = ''] = [falls.slice(0, falls.lastIndexOf('.'))];
    const report = await runPlan(robot, { modules: [module], symbols: [symbol] }, boundary());
    const found = fallen(report);
    expect(found).toContain(falls);
    expect(found.filter(id => id !== falls && !others.includes(id))).toEqual([]);
  },
  60_000,
);
