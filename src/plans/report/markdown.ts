import { type RunReport, scopeOf } from '../../contract/plans.ts';
import { hasFallen } from '../outcome.ts';
import { chainTexts, usageText } from './circumstances.ts';
import { nameOf } from './junit.ts';

/** For the page of a job: verdict, counts, and what to look at. */
export function markdown(report: RunReport): string {
  const { counts } = report;
  const shown = report.modules.flatMap(module =>
    module.conditions
      .filter(each => hasFallen(each) || each.result === 'REVIEW' || each.result === 'WARNING')
      .map(each => [
        each.result,
        each.id + (module.symbol ? ` ${module.symbol}` : ''),
        each.clause,
        each.text,
        each.expected ?? '',
        each.got ?? '',
      ]),
  );
  const skipped = report.modules.filter(({ result }) => result === 'SKIPPED');
  return [
    `# ${report.result ?? 'Not finished'}: plan ${cell(scopeOf(report))}`,
    '',
    `VASP ${cell(report.vasp.name)} (${report.vasp.vaspId}), ${report.startedAt} to ${report.endedAt ?? 'now'}, clock ${report.clock}, on ${chainTexts(report).map(cell).join(' and ')}. ${usageText(report)}.`,
    '',
    '| passed | failed | not received | warning | review | skipped |',
    '|---|---|---|---|---|---|',
    `| ${counts.passed} | ${counts.failed} | ${counts.notReceived} | ${counts.warning} | ${counts.review} | ${counts.skipped} |`,
    ...(shown.length === 0
      ? []
      : [
          '',
          '| Result | Condition | Clause | What must hold | Expected | Got |',
          '|---|---|---|---|---|---|',
          ...shown.map(cells => `| ${cells.map(cell).join(' | ')} |`),
        ]),
    ...(skipped.length === 0 ? [] : ['', '## Skipped', '']),
    ...skipped.map(module => `- ${nameOf(module)}: ${cell(module.skippedBecause ?? '')}`),
    '',
  ].join('\n');
}

const cell = (text: string): string =>
  text.replace(/[\\|<>`*_[\]]/g, character => `\\${character}`).replace(/\s+/g, ' ');
