import type { ConditionReport, ModuleReport, RunReport } from '../contract/plans.ts';

/** Keeps the answer readable. The report has all of them. */
const MOST_FAILURES = 40;
const GOOD = ['PASSED', 'SKIPPED'];

/** The verdict of a run without its evidence: the result, and every condition that did not pass. */
export function verdictOf({ modules, chains: _, ...run }: RunReport) {
  const failures = modules.flatMap(each => each.conditions.filter(isBad).map(failureOf(each)));
  return {
    ...run,
    failures: failures.slice(0, MOST_FAILURES),
    moreFailures: Math.max(0, failures.length - MOST_FAILURES),
    waiting: modules.flatMap(({ id, waiting }) => (waiting ? [{ module: id, ...waiting }] : [])),
    skipped: modules.flatMap(({ id, skippedBecause }) =>
      skippedBecause === null ? [] : [{ module: id, because: skippedBecause }],
    ),
  };
}

const isBad = ({ result }: ConditionReport): boolean => !GOOD.includes(result);

const failureOf =
  ({ id, symbol, title }: ModuleReport) =>
  ({ exchanges: _, ...condition }: ConditionReport) => ({ module: id, symbol, title, ...condition });
