import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODULES } from '../../src/plans/catalogue.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { fallen, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { INSEPARABLE, MUTANTS } from './mutants.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await planSandbox();
}, 60_000);
afterAll(() => robot?.close());

const CONDITIONS = MODULES.flatMap(({ id, conditions }) =>
  Object.keys(conditions).map(word => `${id}.${word}`),
);

test('every condition has a mutant, or falls only together with another one', () => {
  const hasMutant = (id: string) => MUTANTS.some(({ falls, alike }) => falls === id || alike?.test(id));
  expect(CONDITIONS.filter(id => !hasMutant(id))).toEqual(Object.keys(INSEPARABLE));
  expect(MUTANTS.filter(({ falls }) => !CONDITIONS.includes(falls))).toEqual([]);
});

describe.concurrent('one mutant', () => {
  test.each(MUTANTS)(
    '$falls falls, and nothing else',
    async ({ falls, with: others = [], symbol = 'ETH', callbackUrl, boundary }) => {
      const module = falls.slice(0, falls.lastIndexOf('.'));
      const settings = { modules: [module], symbols: [symbol] };
      const report = await runPlan(robot, settings, { boundary: boundary(), callbackUrl });
      const found = fallen(report);
      expect(found).toContain(falls);
      expect(found.filter(id => id !== falls && !others.includes(id))).toEqual([]);
    },
    60_000,
  );
});
