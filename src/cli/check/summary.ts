import { type ExpectedFailures, type ModuleReport, type RunReport, scopeOf } from '../../contract/plans.ts';
import { grouped } from '../../kernel/members.ts';
import { conditionsOf, MODULES } from '../../plans/catalogue.ts';
import { countsOf, hasFailed, isMissing, nameOf, selfDelays, worst } from '../../plans/outcome.ts';
import type { ExitCode } from '../command.ts';

/** Of a delay of the sandbox: a healthy process has shorter ones. */
const NOTICED_MS = 100;

interface Failed {
  condition: string;
  symbol: string | undefined;
}

export interface Accepted {
  failures: ExpectedFailures;
  /** SKIPPED modules are accepted. A run without a judged condition is not. */
  skipped: boolean;
}

/** The table at the end, the causes, and the verdict as the last line. */
export function summary(report: RunReport, accepted: Accepted): { text: string; exitCode: ExitCode } {
  const failed = report.modules.flatMap(({ symbol, conditions }) =>
    conditions.filter(hasFailed).map(({ id }): Failed => ({ condition: id, symbol })),
  );
  const unexpected = failed.filter(each => !accepted.failures.some(one => matches(one, each)));
  const missing = accepted.failures.filter(
    one => !failed.some(each => matches(one, each)) && !isElsewhere(report, one),
  );
  const notJudged = missing.filter(one => isNotJudged(report, one));
  const stale = missing.filter(one => !notJudged.includes(one));
  const skipped = report.modules.filter(isMissing);
  const isComplete = accepted.skipped || (skipped.length === 0 && notJudged.length === 0);
  const lines = [
    '',
    ...table(report.modules),
    '',
    ...causes(report),
    ...(accepted.failures.length === 0 ? [] : unexpected.map(each => `unexpected failure: ${named(each)}`)),
    ...stale.map(each => `expected failure that did not happen: ${named(each)}`),
    ...notJudged.map(each => `expected failure that was not judged: ${named(each)}`),
    ...skippedLines(skipped, shortened),
    ...(isComplete || skipped.length === 0
      ? []
      : ['SKIPPED modules are not accepted. Add what they need, or accept them with --allow-skipped.']),
    ...selfDelays(report, NOTICED_MS).map(delays => `Note: ${delays}.`),
    verdict(report, skipped.length, accepted.skipped),
  ];
  const isRight = unexpected.length === 0 && stale.length === 0 && isComplete && isJudged(report);
  return { text: lines.join('\n'), exitCode: exitCodeOf(report, isRight) };
}

/** A failure of the VASP counts more than trouble of our own. */
function exitCodeOf({ result, modules }: RunReport, isRight: boolean): ExitCode {
  const hasTrouble = modules.some(module => module.result === 'ERROR');
  if (result === 'ERROR' || (hasTrouble && isRight)) return 4;
  return isRight ? 0 : 1;
}

const isJudged = ({ plans }: RunReport): boolean => plans.some(({ result }) => result !== 'NOT-JUDGED');

function verdict(report: RunReport, skipped: number, isAccepted: boolean): string {
  const { modules, plans, tool, vasp, id } = report;
  const empty = plans.filter(({ result }) => result === 'NOT-JUDGED').map(({ plan }) => plan);
  const isPartly = isAccepted && empty.length < plans.length && report.result === 'NOT-JUDGED';
  const result = isPartly
    ? worst(plans.flatMap(each => (each.result === 'NOT-JUDGED' ? [] : each.result)))
    : report.result;
  return [
    `${result}: plan ${scopeOf(report)} for ${vasp.name}`,
    tool,
    ...(skipped > 0 ? [`${skipped} of ${modules.length} modules SKIPPED`] : []),
    ...(empty.length > 0 ? [`no condition was judged in ${empty.join(', ')}`] : []),
    `run ${id}`,
  ].join(', ');
}

function causes({ causes: found, modules }: RunReport): string[] {
  if (found.length === 0) return [];
  const failures = countsOf(modules);
  const count = failures.failed + failures.notReceived;
  return [
    `${count} ${count === 1 ? 'failure' : 'failures'}, ${found.length} ${found.length === 1 ? 'cause' : 'causes'}:`,
    ...found.map(({ title, conditions }) => `  ${title} (${shortened(conditions)})`),
    '',
  ];
}

const MAX_NAMED = 6;

const shortened = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`;

/** A line for each reason. `listed`: how it names the modules. */
export function skippedLines(skipped: readonly ModuleReport[], listed: (names: string[]) => string): string[] {
  const all = grouped(skipped, ({ skippedBecause }) => skippedBecause ?? '');
  return [...all].map(([reason, modules]) => `SKIPPED ${listed(modules.map(nameOf))}: ${reason}`);
}

const matches = (one: ExpectedFailures[number], { condition, symbol }: Failed): boolean =>
  one.condition === condition && (one.symbol === '*' || one.symbol === symbol);

/** The run has the condition, and each time it could not be judged. */
function isNotJudged({ modules }: RunReport, { condition, symbol }: ExpectedFailures[number]): boolean {
  const own = modules
    .filter(module => module.symbol === undefined || symbol === '*' || symbol === module.symbol)
    .flatMap(({ conditions }) => conditions.filter(({ id }) => id === condition));
  return own.length > 0 && own.every(({ result }) => result === 'SKIPPED');
}

/** The condition exists, and the run was not about it. A condition that no module has is a mistake in the file. */
function isElsewhere({ modules, chains }: RunReport, { condition, symbol }: ExpectedFailures[number]): boolean {
  const isOwn = (own: string | undefined) =>
    own === undefined || ((symbol === '*' || symbol === own) && chains.some(chain => chain.symbol === own));
  const isPlayed = modules.some(
    module =>
      module.status === 'FINISHED' && isOwn(module.symbol) && module.conditions.some(({ id }) => id === condition),
  );
  return !isPlayed && MODULES.some(module => conditionsOf(module).some(({ id }) => id === condition));
}

const named = ({ condition, symbol }: { condition: string; symbol?: string | undefined }): string =>
  symbol && symbol !== '*' ? `${condition} ${symbol}` : condition;

function table(modules: readonly ModuleReport[]): string[] {
  const plans = [...new Set(modules.map(({ plan }) => plan))];
  const rows = [...plans, 'all'].map(plan => {
    const own = plan === 'all' ? modules : modules.filter(each => each.plan === plan);
    const { passed, failed, notReceived, warning, review, skipped } = countsOf(own);
    return [plan, passed, failed, notReceived, warning, review, skipped].map(String);
  });
  const head = ['conditions', 'passed', 'failed', 'not received', 'warning', 'review', 'skipped'];
  return [head, ...rows].map(([first = '', ...cells]) =>
    [first.padEnd(12), ...cells.map((cell, index) => cell.padStart((head[index + 1] ?? '').length + 2))].join(''),
  );
}
