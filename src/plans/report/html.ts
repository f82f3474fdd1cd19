import {
  type ConditionReport,
  type EvidenceExchange,
  type ModuleReport,
  type RunReport,
  scopeOf,
} from '../../contract/plans.ts';
import { hasFailed, nameOf } from '../outcome.ts';
import { chainTexts, usageText } from './circumstances.ts';
import { STYLE } from './html-style.ts';

/** One file without scripts and without outside parts: verdict, table, and the evidence of every module. */
export function html(report: RunReport): string {
  const { vasp, counts } = report;
  const scope = scopeOf(report);
  const title = `${report.result ?? 'Not finished'}: plan ${scope} for ${vasp.name}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title><style>${STYLE}</style></head><body>
<header><h1><span class="badge ${report.result}">${report.result ?? 'NOT FINISHED'}</span> plan ${text(scope)}</h1>
<p>${text(vasp.name)} (${text(vasp.vaspId)}) · ${report.startedAt} to ${report.endedAt ?? 'now'} · clock ${report.clock} · ${chainTexts(report).map(text).join(' · ')} · ${text(report.tool)} · ${usageText(report)}</p>
<p>${Object.entries(counts)
    .map(([name, count]) => `${count} ${name === 'notReceived' ? 'not received' : name}`)
    .join(' · ')}</p></header>
<table><thead><tr><th>Module</th><th>Title</th><th>Result</th><th>Time</th></tr></thead><tbody>
${report.modules.map(row).join('\n')}
</tbody></table>
${report.modules.map(section).join('\n')}
</body></html>
`;
}

const anchor = (module: ModuleReport) => nameOf(module).replace(/[^A-Za-z0-9]+/g, '-');

const row = (module: ModuleReport): string =>
  `<tr><td><a href="#${anchor(module)}">${nameOf(module)}</a></td><td>${text(module.title)}</td><td><span class="badge ${module.result}">${module.result ?? module.status}</span></td><td>${module.durationMs === null ? '' : `${module.durationMs} ms`}</td></tr>`;

const section = (module: ModuleReport): string => `<section id="${anchor(module)}">
<h2><span class="badge ${module.result}">${module.result ?? module.status}</span> ${nameOf(module)} ${text(module.title)}</h2>
<p class="quiet">${module.clauses.map(text).join(', ')}</p>
${[module.skippedBecause, module.note].map(each => (each ? `<p>${text(each)}</p>` : '')).join('')}
<table><thead><tr><th>Condition</th><th>Clause</th><th>What must hold</th><th>Expected</th><th>Got</th></tr></thead><tbody>
${module.conditions.map(condition).join('\n')}
</tbody></table>
${module.exchanges.length === 0 ? '' : diagram(module.exchanges)}
${module.exchanges.map(each => exchange(each, module)).join('\n')}
</section>`;

const condition = (each: ConditionReport): string =>
  `<tr${hasFailed(each) ? ' class="failed"' : ''}><td><span class="badge ${each.result}">${each.result}</span> ${text(each.id)}</td><td>${text(each.clause)}</td><td>${text(each.text)}</td><td>${text(each.expected ?? '')}</td><td>${text(each.got ?? '')}${each.exchanges.map(id => ` <a href="#exchange-${id}">#${id}</a>`).join('')}${differences(each)}</td></tr>`;

const differences = ({ fields = [] }: ConditionReport): string =>
  fields
    .map(each => `<br>${text(each.field)}: <del>${text(each.expected)}</del> <ins>${text(each.got)}</ins>`)
    .join('');

const ROW = 26;
const MOST_ARROWS = 60;

/** The calls between the VASP and the enclave, from top to bottom. */
function diagram(exchanges: readonly EvidenceExchange[]): string {
  const shown = exchanges.slice(0, MOST_ARROWS);
  const height = 40 + shown.length * ROW;
  const arrows = shown.map(({ id, direction, operation, status, error, durationMs }, index) => {
    const y = 44 + index * ROW;
    const [from, to] = direction === 'IN' ? [110, 590] : [590, 110];
    const tip =
      to > from
        ? `${to},${y} ${to - 8},${y - 4} ${to - 8},${y + 4}`
        : `${to},${y} ${to + 8},${y - 4} ${to + 8},${y + 4}`;
    const label = `#${id} ${operation}: ${status ?? error} (${durationMs} ms)`;
    return `<line x1="${from}" y1="${y}" x2="${to}" y2="${y}"/><polygon points="${tip}"/><text x="350" y="${y - 5}">${text(label)}</text>`;
  });
  return `<svg viewBox="0 0 700 ${height}" role="img" aria-label="Sequence of the exchanges"><text x="110" y="18">VASP</text><text x="590" y="18">enclave</text><line x1="110" y1="24" x2="110" y2="${height}"/><line x1="590" y1="24" x2="590" y2="${height}"/>${arrows.join('')}</svg>`;
}

function exchange(each: EvidenceExchange, module: ModuleReport): string {
  const isOpen = module.conditions.some(one => hasFailed(one) && one.exchanges.includes(each.id));
  const who = each.direction === 'IN' ? 'the VASP called' : 'the VASP was called';
  return `<details id="exchange-${each.id}"${isOpen ? ' open' : ''}><summary>#${each.id} ${each.method} ${text(each.operation)}: ${text(String(each.status ?? each.error))} · ${who} · ${each.durationMs} ms · ${each.at}</summary>
<pre>${text(pretty(each.request))}</pre><pre>${text(pretty(each.response))}</pre>
<p class="quiet">Again:</p><pre>${text(curl(each))}</pre></details>`;
}

function pretty(body: string | null): string {
  if (body === null) return '(nothing)';
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** The token is never part of it. */
const curl = ({ method, url, request, direction }: EvidenceExchange): string => {
  const address = direction === 'IN' ? `$ROBOT_VASP_URL${url}` : url;
  const header = direction === 'IN' ? '' : ' -H \'Authorization: Bearer \'"$TOKEN"';
  const body =
    request === null ? '' : ` -H 'content-type: application/json' -d '${request.replaceAll("'", "'\\''")}'`;
  return `curl -sS -X ${method}${header}${body} "${address}"`;
};

const text = (value: string): string =>
  value.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
