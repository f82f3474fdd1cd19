import { type ExpectedFailures, type ModuleReport, type RunReport, scopeOf } from '../../contract/plans.ts';
import { conditionsOf, MODULES } from '../../plans/catalogue.ts';
import { countsOf, hasFallen } from '../../plans/outcome.ts';

interface Fallen {
  condition: string;
  symbol: string | undefined;
}

/** The table at the end. `isRight`: the exit code is 0. */
export function summary(report: RunReport, expected: ExpectedFailures): { text: string; isRight: boolean } {
  const fallen = report.modules.flatMap(({ symbol, conditions }) =>
    conditions.filter(hasFallen).map(({ id }): Fallen => ({ condition: id, symbol })),
  );
  const unexpected = fallen.filter(each => !expected.some(one => matches(one, each)));
  const stale = expected.filter(one => !fallen.some(each => matches(one, each)) && !isElsewhere(report, one));
  const lines = [
    '',
    ...table(report.modules),
    '',
    ...unexpected.map(each => `unexpected failure: ${nameOf(each)}`),
    ...stale.map(each => `expected failure that did not happen: ${nameOf(each)}`),
    `${report.result}: plan ${scopeOf(report)} for ${report.vasp.name}, run ${report.id}`,
  ];
  return { text: lines.join('\n'), isRight: unexpected.length === 0 && stale.length === 0 };
}

const matches = (one: ExpectedFailures[number], { condition, symbol }: Fallen): boolean =>
  one.condition === condition && (one.symbol === '*' || one.symbol === symbol);

/** The condition exists, and the run was not about it. A condition that no module has is a mistake in the file. */
function isElsewhere(
  { modules, chains }: RunReport,
  { condition, symbol }: ExpectedFailures[number],
): boolean {
  const isOwn = (own: string | undefined) =>
    own === undefined || ((symbol === '*' || symbol === own) && chains.some(chain => chain.symbol === own));
  const isPlayed = modules.some(
    module =>
      module.status === 'FINISHED' &&
      isOwn(module.symbol) &&
      module.conditions.some(({ id }) => id === condition),
  );
  return !isPlayed && MODULES.some(module => conditionsOf(module).some(({ id }) => id === condition));
}

const nameOf = ({ condition, symbol }: { condition: string; symbol?: string | undefined }): string =>
  symbol && symbol !== '*' ? `${condition} ${symbol}` : condition;

function table(modules: readonly ModuleReport[]): string[] {
  const plans = [...new Set(modules.map(({ plan }) => plan))];
  const rows = [...plans, 'all'].map(plan => {
    const own = plan === 'all' ? modules : modules.filter(each => each.plan === plan);
    const { passed, failed, notReceived, warning, review, skipped } = countsOf(own);
    return [plan, passed, failed, notReceived, warning, review, skipped].map(String);
  });
  const head = ['plan', 'passed', 'failed', 'not received', 'warning', 'review', 'skipped'];
  return [head, ...rows].map(([first = '', ...cells]) =>
    [first.padEnd(12), ...cells.map((cell, index) => cell.padStart((head[index + 1] ?? '').length + 2))].join(
      '',
    ),
  );
}
