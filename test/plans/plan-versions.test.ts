import { expect, test } from 'vitest';
import { FIRST_PLAN_VERSION, NEWEST_PLAN_VERSION } from '../../src/contract/plan-versions.ts';
import { RunRequest } from '../../src/contract/plans.ts';
import { conditionsOf, MODULES, modulesOf } from '../../src/plans/catalogue.ts';
import { planModule } from '../../src/plans/module.ts';
import { plannedModules } from '../../src/plans/report-of.ts';
import FIRST from './plan-2026.11.json' with { type: 'json' };

const clause = 'WIRE-2.3';

test('a frozen plan never gains a condition, and no condition of it becomes stricter', () => {
  const severities = new Map(Object.entries(FIRST));
  const grown = MODULES.flatMap(module => conditionsOf(module, FIRST_PLAN_VERSION))
    .filter(({ id, severity }) => severities.get(id) !== 'FAILURE' && severities.get(id) !== severity)
    .map(({ id }) => id);
  expect(grown, 'A new condition has `since`.').toEqual([]);
});

test('a condition belongs to the version that added it and to later ones', () => {
  const conditions = {
    first: { clause, text: 'First.' },
    later: { clause, text: 'Later.', since: '2026.12' },
  } as const;
  const module = planModule({
    id: 'X1',
    plan: 'deposit',
    title: 'X',
    clauses: [clause],
    needs: [],
    conditions,
    async run() {},
  });
  const idsIn = (version: '2026.11' | '2026.12', of = module) =>
    conditionsOf(of, version).map(({ id }) => id);
  expect(idsIn('2026.11')).toEqual(['X1.first']);
  expect(idsIn('2026.12')).toEqual(['X1.first', 'X1.later']);
  expect(idsIn('2026.11', { ...module, since: '2026.12' })).toEqual([]);
});

test('a plan of a version has no module without a condition', () => {
  for (const planVersion of [FIRST_PLAN_VERSION, NEWEST_PLAN_VERSION]) {
    const planned = plannedModules(RunRequest.parse({ planVersion }));
    expect(planned.length).toBeGreaterThanOrEqual(modulesOf('complete', planVersion).length);
    expect(planned.filter(({ conditions }) => conditions.length === 0)).toEqual([]);
  }
});
