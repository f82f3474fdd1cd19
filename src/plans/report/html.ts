import { type CauseReport, type ModuleReport, type RunReport, scopeOf } from '../../contract/plans.ts';
import { hasFailed, isMissing, nameOf } from '../outcome.ts';
import { chainTexts, usageText } from './circumstances.ts';
import { createExchangeParts, text } from './html-exchanges.ts';
import { STYLE } from './html-style.ts';

/**
 * One file without scripts and without outside parts: verdict, causes of the failures, then the modules, what needs a look
 * first. Passed modules are folded, and their exchanges stand in the JSON report only. No exchange is shown twice.
 */
export function html(report: RunReport): string {
  const { vasp, counts, causes, modules } = report;
  const scope = scopeOf(report);
  const title = `${report.result ?? 'Not finished'}: plan ${scope} for ${vasp.name}`;
  const parts = createExchangeParts(modules);
  const isQuiet = ({ result }: ModuleReport) => result === 'PASSED' || result === 'SKIPPED';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title><style>${STYLE}</style></head><body>
<header><h1>${badge(report.result ?? 'NOT FINISHED')} plan ${text(scope)}</h1>
<p>${text(vasp.name)} (${text(vasp.vaspId)}) · plan version ${text(report.planVersion)} · ${report.startedAt} to ${report.endedAt ?? 'now'} · clock ${report.clock} · ${chainTexts(report).map(text).join(' · ')} · ${text(report.tool)} · ${usageText(report)}</p>
<p>${Object.entries(counts)
    .map(([name, count]) => `${count} ${name === 'notReceived' ? 'not received' : name}`)
    .join(' · ')}</p>
${report.problem ? `<p>${text(report.problem.message)}</p>` : ''}${plans(report)}</header>
<h2>Causes</h2>
${causes.length === 0 ? '<p>No condition failed.</p>' : causes.map(each => causeOf(each, parts)).join('\n')}
<h2>Modules</h2>
${modules
  .filter(module => !isQuiet(module))
  .map(each => section(each, parts))
  .join('\n')}
${modules.filter(isQuiet).map(folded).join('\n')}
</body></html>
`;
}

type Parts = ReturnType<typeof createExchangeParts>;

const badge = (result: string): string => `<span class="badge ${result}">${result}</span>`;

const plans = ({ plans: all }: RunReport): string =>
  all.length < 2
    ? ''
    : `<p>${all.map(({ plan, result, skipped }) => `${badge(result)} ${plan}${skipped.length > 0 ? ` (${skipped.length} SKIPPED)` : ''}`).join(' · ')}</p>`;

const causeOf = ({ id, title, conditions, exchange }: CauseReport, parts: Parts): string =>
  `<section class="cause" id="cause-${id}"><h3>${text(title)}</h3>
<p>${conditions.length} ${conditions.length === 1 ? 'condition fails' : 'conditions fail'}: ${conditions.map(text).join(', ')}</p>
${exchange === null ? '' : parts.shown(exchange, true)}</section>`;

const anchor = (module: ModuleReport) => nameOf(module).replace(/[^A-Za-z0-9]+/g, '-');

const heading = (module: ModuleReport): string =>
  `${badge(module.result ?? module.status)} ${nameOf(module)} ${text(module.title)}${module.durationMs === null ? '' : ` <span class="quiet">${module.durationMs} ms</span>`}`;

const notes = ({ clauses, skippedBecause, note }: ModuleReport): string =>
  `<p class="quiet">${clauses.map(text).join(', ')}</p>${[skippedBecause, note].map(each => (each ? `<p>${text(each)}</p>` : '')).join('')}`;

const section = (module: ModuleReport, parts: Parts): string => `<section id="${anchor(module)}">
<h3>${heading(module)}</h3>
${notes(module)}
<table><thead><tr><th>Condition</th><th>Clause</th><th>What must hold</th><th>Expected</th><th>Got</th></tr></thead><tbody>
${module.conditions.map(condition).join('\n')}
</tbody></table>
${parts.ofModule(module)}
</section>`;

const folded = (module: ModuleReport): string =>
  `<details id="${anchor(module)}"${isMissing(module) ? ' open' : ''}><summary>${heading(module)}</summary>${notes(module)}<ul>${
    module.result === 'SKIPPED'
      ? ''
      : module.conditions
          .map(({ id, result, text: what }) => `<li>${badge(result)} ${text(id)} ${text(what)}</li>`)
          .join('')
  }</ul></details>`;

const condition = (each: ModuleReport['conditions'][number]): string =>
  `<tr${hasFailed(each) ? ' class="failed"' : ''}><td>${badge(each.result)} ${text(each.id)}</td><td>${text(each.clause)}</td><td>${text(each.text)}</td><td>${text(each.expected ?? '')}</td><td>${text(each.got ?? '')}${each.exchanges.map(id => ` <a href="#exchange-${id}">#${id}</a>`).join('')}${differences(each)}</td></tr>`;

const differences = ({ fields = [] }: ModuleReport['conditions'][number]): string =>
  fields
    .map(each => `<br>${text(each.field)}: <del>${text(each.expected)}</del> <ins>${text(each.got)}</ins>`)
    .join('');
