import type { ConditionReport, ConditionResult, Counts, ModuleReport, RunResult } from '../contract/plans.ts';

/** From the worst to the best. SKIPPED counts as nothing. */
const ORDER = ['FAILED', 'INTERRUPTED', 'REVIEW', 'WARNING', 'PASSED'] as const;

export const worst = (results: readonly (RunResult | null)[]): RunResult =>
  ORDER.find(result => results.includes(result)) ?? 'SKIPPED';

/** NOT-RECEIVED makes a module fail. */
const asRunResult = (result: ConditionResult): RunResult => (result === 'NOT-RECEIVED' ? 'FAILED' : result);

export const resultOf = (conditions: readonly ConditionReport[]): RunResult =>
  worst(conditions.map(({ result }) => asRunResult(result)));

export const hasFallen = ({ result }: Pick<ConditionReport, 'result'>): boolean =>
  result === 'FAILED' || result === 'NOT-RECEIVED';

const COUNT_OF: Readonly<Record<ConditionResult, keyof Counts>> = {
  PASSED: 'passed',
  FAILED: 'failed',
  'NOT-RECEIVED': 'notReceived',
  WARNING: 'warning',
  REVIEW: 'review',
  SKIPPED: 'skipped',
};

export function countsOf(modules: readonly Pick<ModuleReport, 'conditions'>[]): Counts {
  const counts = { passed: 0, failed: 0, notReceived: 0, warning: 0, review: 0, skipped: 0 };
  for (const { result } of modules.flatMap(({ conditions }) => conditions)) counts[COUNT_OF[result]]++;
  return counts;
}
