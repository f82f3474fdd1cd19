import { type CauseReport, type ModuleReport, type RunReport, scopeOf } from '../../contract/plans.ts';
import { foreignText } from '../../contract/text.ts';
import { chainTexts, hasFailed, nameOf, usageText } from '../outcome.ts';
import { fitted } from './fitted.ts';

/** GitHub drops a summary above 1 MiB. */
const MAX_BYTES = 900 * 1024;

/** For the page of a job: verdict, counts, and what to look at. */
export const markdown = (report: RunReport): string => fitted(report, MAX_BYTES, render);

function render(report: RunReport, note?: string): string {
  const { counts, causes, plans } = report;
  const shown = report.modules.flatMap(module =>
    module.conditions
      .filter(each => hasFailed(each) || each.result === 'REVIEW' || each.result === 'WARNING')
      .map(each => [
        each.result,
        each.id + (module.symbol ? ` ${module.symbol}` : ''),
        each.clause,
        each.text,
        each.expected ?? '',
        each.got ?? '',
      ]),
  );
  return [
    `# ${report.result ?? 'Not finished'}: plan ${cell(scopeOf(report))}`,
    '',
    `VASP ${cell(report.vasp.name)} (${report.vasp.vaspId}), ${report.startedAt} to ${report.endedAt ?? 'now'}, clock ${report.clock}, ${cell(report.tool)}, on ${chainTexts(report).map(cell).join(' and ')}. ${usageText(report)}.`,
    '',
    '| passed | failed | not received | warning | review | skipped |',
    '|---|---|---|---|---|---|',
    `| ${counts.passed} | ${counts.failed} | ${counts.notReceived} | ${counts.warning} | ${counts.review} | ${counts.skipped} |`,
    ...(note === undefined ? [] : ['', note]),
    ...(report.problem ? ['', cell(report.problem.message)] : []),
    '',
    '## Causes',
    '',
    ...(causes.length === 0 ? ['No condition failed.'] : causes.map(causeOf)),
    '',
    '## Modules',
    '',
    ...plans.map(
      ({ plan, result, skipped }) =>
        `- ${plan}: ${result}${skipped.length > 0 ? `, SKIPPED: ${skipped.map(cell).join(', ')}` : ''}`,
    ),
    ...(shown.length === 0
      ? []
      : [
          '',
          '| Result | Condition | Clause | What must hold | Expected | Got |',
          '|---|---|---|---|---|---|',
          ...shown.map(cells => `| ${cells.map(cell).join(' | ')} |`),
        ]),
    ...listed(
      'Interrupted',
      report.modules.filter(({ status }) => status === 'INTERRUPTED'),
    ),
    ...listed(
      'Skipped',
      report.modules.filter(({ result }) => result === 'SKIPPED'),
    ),
    '',
  ].join('\n');
}

const causeOf = ({ title, conditions, exchange }: CauseReport): string =>
  `- **${cell(title)}**: ${conditions.map(cell).join(', ')}${exchange === null ? '' : ` (exchange ${exchange})`}`;

const listed = (title: string, modules: readonly ModuleReport[]): string[] =>
  modules.length === 0
    ? []
    : ['', `## ${title}`, '', ...modules.map(module => `- ${nameOf(module)}: ${cell(module.skippedBecause ?? '')}`)];

const cell = (text: string): string =>
  foreignText(text.replace(/\s+/g, ' ')).replace(/[\\|<>`*_[\]]/g, character => `\\${character}`);
