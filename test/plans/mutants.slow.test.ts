import { describe, expect, test } from 'vitest';
import { MODULES } from '../../src/plans/catalogue.ts';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';
import { INSEPARABLE, MUTANTS } from './mutants.ts';
import { WRONG_VASPS } from './wrong-vasps.ts';

/** The time limits of the one are for VASPs that answer late. A busy machine is not late in the other. */
const strict = await forFile(planSandbox({ VASP_TIMEOUT_USER: '1s' }));
const patient = await forFile(planSandbox(PATIENT));

const CONDITIONS = MODULES.flatMap(({ id, conditions }) => Object.keys(conditions).map(word => `${id}.${word}`));

test('every condition has a mutant, or fails only together with another one', () => {
  const ofWrongVasps = new Set(WRONG_VASPS.flatMap(({ fails, may = [] }) => [...fails, ...may]));
  const hasMutant = (id: string) =>
    ofWrongVasps.has(id) || MUTANTS.some(({ fails, alike }) => fails === id || alike?.test(id));
  expect(CONDITIONS.filter(id => !hasMutant(id))).toEqual(Object.keys(INSEPARABLE));
  expect([...ofWrongVasps].filter(id => !CONDITIONS.includes(id))).toEqual([]);
  expect(MUTANTS.filter(({ fails }) => !CONDITIONS.includes(fails))).toEqual([]);
});

describe.concurrent('one mutant', () => {
  test.each(MUTANTS)(
    '$fails fails, and nothing else',
    async ({ fails, with: others = [], symbol = 'ETH', callbackUrl, before, afterwards, boundary }) => {
      const module = fails.slice(0, fails.lastIndexOf('.'));
      const modules = [before, module, afterwards].filter(id => id !== undefined);
      const settings = { modules, symbols: [symbol], inquiryWait: '10s' };
      const robot = fails.endsWith('.in-time') ? strict : patient;
      const report = await runPlan(robot, settings, { boundary: boundary(robot.url), callbackUrl });
      // `D4` means D4.a, too, which this mutant is not about.
      const isOfOther = (id: string) => id.startsWith(`${module}.`) && id.lastIndexOf('.') !== module.length;
      const found = failedConditions(report).filter(id => !isOfOther(id));
      expect(found).toContain(fails);
      expect(found.filter(id => id !== fails && !others.includes(id))).toEqual([]);
    },
    120_000,
  );
});
