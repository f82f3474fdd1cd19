import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODULES } from '../../src/plans/catalogue.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { fallen, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { INSEPARABLE, MUTANTS } from './mutants.ts';
import { WRONG_VASPS } from './wrong-vasps.ts';

/** The time limits of the one are for VASPs that answer late. A busy machine is not late in the other. */
let strict: Robot;
let patient: Robot;
beforeAll(async () => {
  strict = await planSandbox({ VASP_TIMEOUT_USER: '1s' });
  patient = await planSandbox(PATIENT);
});
afterAll(() => Promise.all([strict?.close(), patient?.close()]));

const CONDITIONS = MODULES.flatMap(({ id, conditions }) =>
  Object.keys(conditions).map(word => `${id}.${word}`),
);

test('every condition has a mutant, or falls only together with another one', () => {
  const ofWrongVasps = new Set(WRONG_VASPS.flatMap(({ fails, may = [] }) => [...fails, ...may]));
  const hasMutant = (id: string) =>
    ofWrongVasps.has(id) || MUTANTS.some(({ falls, alike }) => falls === id || alike?.test(id));
  expect(CONDITIONS.filter(id => !hasMutant(id))).toEqual(Object.keys(INSEPARABLE));
  expect([...ofWrongVasps].filter(id => !CONDITIONS.includes(id))).toEqual([]);
  expect(MUTANTS.filter(({ falls }) => !CONDITIONS.includes(falls))).toEqual([]);
});

describe.concurrent('one mutant', () => {
  test.each(MUTANTS)(
    '$falls falls, and nothing else',
    async ({ falls, with: others = [], symbol = 'ETH', callbackUrl, before, afterwards, boundary }) => {
      const module = falls.slice(0, falls.lastIndexOf('.'));
      const settings = {
        modules: [before, module, afterwards].filter(id => id !== undefined),
        symbols: [symbol],
        // Later versions have D4.a and D5.a, too, which the name of the module means as well.
        ...(/^D[45]$/.test(module) ? { planVersion: '2026.11' } : {}),
      };
      const robot = falls.endsWith('.in-time') ? strict : patient;
      const report = await runPlan(robot, settings, { boundary: boundary(robot.url), callbackUrl });
      const found = fallen(report);
      expect(found).toContain(falls);
      expect(found.filter(id => id !== falls && !others.includes(id))).toEqual([]);
    },
    120_000,
  );
});
