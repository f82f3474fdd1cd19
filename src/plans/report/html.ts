import { clauseSentences, withClauseLinks } from '../../contract/clauses.ts';
import {
  type CauseReport,
  type EvidenceExchange,
  type ModuleReport,
  type RunReport,
  scopeOf,
} from '../../contract/plans.ts';
import { shellWord } from '../../kernel/text.ts';
import { chainTexts, durationText, hasFailed, isMissing, nameOf, usageText } from '../outcome.ts';
import { fitted } from './fitted.ts';

/** A browser shows as much at once. */
const MAX_BYTES = 10_000_000;

const STYLE = `
:root{color-scheme:light dark;--line:#8884}
a{color:light-dark(#01639a,#8cc8f5)}
body{background:light-dark(#fff,#16191d);color:light-dark(#1b1f24,#e3e6ea);font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:1rem 0;display:block;overflow-x:auto}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
section,.module{border-top:1px solid var(--line)}section{margin-top:2rem}.module>summary h3{display:inline}
:is(section,.module) :is(th,td:nth-child(2)){white-space:nowrap}
@media (max-width:40rem){.module thead{display:none}.module tr{display:block;border-bottom:1px solid var(--line)}.module td{display:block;border:0;padding:.1rem 0}}
del{background:#b3261e2f}ins{background:#17703a2f;text-decoration:none}
.quiet{color:light-dark(#555,#bbb)}
.badge{font-size:.75rem;font-weight:600;padding:.1rem .4rem;border-radius:.3rem;background:#5f6670;color:#fff;white-space:nowrap}
.cause{border-top:0;border-left:.3rem solid #b3261e;padding-left:.6rem;margin-top:1rem}summary{cursor:pointer;padding:.15rem 0}h3{margin:.3rem 0}
.PASSED{background:#17703a}.FAILED,.NOT-RECEIVED,.INTERRUPTED,.NOT-JUDGED,.ERROR{background:#b3261e}.WARNING{background:#8a5a00}.REVIEW{background:#3b5bdb}
.failed{background:#b3261e1f}
pre{white-space:pre-wrap;border:1px solid var(--line);padding:.5rem;margin:.3rem 0;max-height:30rem;overflow:auto}
.wide{overflow-x:auto}svg{width:100%;min-width:36rem;max-width:700px;font-size:12px}svg text{text-anchor:middle;fill:currentColor}svg line{stroke:currentColor;opacity:.5}svg polygon{fill:currentColor}
`;

/**
 * One file without scripts and without outside parts: verdict, causes of the failures, then the modules, what needs a look
 * first. Modules are folded, those that passed all together; their exchanges stand in the JSON report only. No exchange is
 * shown twice.
 */
export const html = (report: RunReport): string => fitted(report, MAX_BYTES, render, bodyCharacters(report));

const isQuiet = ({ result }: ModuleReport): boolean => result === 'PASSED' || result === 'SKIPPED';

const bodyCharacters = ({ modules }: RunReport): number =>
  modules
    .filter(each => !isQuiet(each))
    .flatMap(({ exchanges }) => exchanges)
    .reduce((all, { request, response }) => all + (request?.length ?? 0) + (response?.length ?? 0), 0);

function render(report: RunReport, note?: string): string {
  const { vasp, counts, causes, modules } = report;
  const scope = scopeOf(report);
  const title = `${report.result ?? 'Not finished'}: plan ${scope} for ${vasp.name}`;
  const parts = createExchangeParts(modules, note !== undefined);
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title><style>${STYLE}</style></head><body>
<header><h1>${badge(report.result ?? 'NOT FINISHED')} plan ${text(scope)}</h1>
<p>${text(vasp.name)} (${text(vasp.vaspId)}) · ${report.startedAt} to ${report.endedAt ?? 'now'} · clock ${report.clock} · ${chainTexts(report).map(text).join(' · ')} · ${text(report.tool)} · ${usageText(report)}</p>
<p>${Object.entries(counts)
    .map(([name, count]) => `${count} ${name === 'notReceived' ? 'not received' : name}`)
    .join(' · ')}</p>
${[report.problem?.message, note].map(each => (each ? `<p>${prose(each)}</p>` : '')).join('')}${plans(report)}</header>
<main><h2>Causes</h2>
${causes.length === 0 ? '<p>No condition failed.</p>' : causes.map(each => causeOf(each, parts)).join('\n')}
<h2>Modules</h2>
${modules
  .filter(module => !isQuiet(module))
  .map(each => section(each, parts))
  .join('\n')}
${modules.filter(isMissing).map(folded).join('\n')}
${['PASSED', 'SKIPPED'].map(result => together(result, modules)).join('\n')}
`;
  return `${withClauseLinks(page, '')}${cited(page)}</main></body></html>\n`;
}

function cited(page: string): string {
  const lines = [...clauseSentences()].filter(([id]) => new RegExp(`\\b${id}(?![\\d.]*\\d)`).test(page));
  const list = lines.map(([id, says]) => `<dt id="${id}">${id}</dt><dd>${prose(says)}</dd>`).join('\n');
  return `<h2>Clauses</h2>\n<details><summary>${lines.length} clauses that this report cites</summary><dl>${list}</dl></details>\n`;
}

type Parts = ReturnType<typeof createExchangeParts>;

const badge = (result: string): string => `<span class="badge ${result}">${result}</span>`;

const plans = ({ plans: all }: RunReport): string =>
  all.length < 2
    ? ''
    : `<p>${all.map(({ plan, result, skipped }) => `${badge(result)} ${plan}${skipped.length > 0 ? ` (${skipped.length} SKIPPED)` : ''}`).join(' · ')}</p>`;

const causeOf = ({ id, title, conditions, exchange }: CauseReport, parts: Parts): string =>
  `<section class="cause" id="cause-${id}"><h3>${prose(title)}</h3>
<p>${conditions.length} ${conditions.length === 1 ? 'condition fails' : 'conditions fail'}: ${conditions.map(text).join(', ')}</p>
${exchange === null ? '' : parts.shown(exchange, false)}</section>`;

const anchor = (module: ModuleReport) => nameOf(module).replace(/[^A-Za-z0-9]+/g, '-');

const heading = (module: ModuleReport): string =>
  `${badge(module.result ?? module.status)} ${nameOf(module)} ${prose(module.title)}${module.durationMs === null ? '' : ` <span class="quiet">${module.durationMs} ms</span>`}`;

const notes = ({ clauses, skippedBecause, note }: ModuleReport): string =>
  `<p class="quiet">${clauses.map(text).join(', ')}</p>${[skippedBecause, note].map(each => (each ? `<p>${prose(each)}</p>` : '')).join('')}`;

const section = (
  module: ModuleReport,
  parts: Parts,
): string => `<details class="module" id="${anchor(module)}"><summary><h3>${heading(module)}</h3></summary>
${notes(module)}
<table tabindex="0"><thead><tr><th>Condition</th><th>Clause</th><th>What must hold</th><th>Expected</th><th>Got</th></tr></thead><tbody>
${module.conditions.map(condition).join('\n')}
</tbody></table>
${parts.ofModule(module)}
</details>`;

/** Those that ask for nothing. */
function together(result: string, modules: readonly ModuleReport[]): string {
  const own = modules.filter(module => module.result === result && !isMissing(module));
  return own.length === 0
    ? ''
    : `<details><summary>${badge(result)} × ${own.length}</summary>${own.map(folded).join('\n')}</details>`;
}

const folded = (module: ModuleReport): string =>
  `<details id="${anchor(module)}"><summary>${heading(module)}</summary>${notes(module)}<ul>${
    module.result === 'SKIPPED'
      ? ''
      : module.conditions
          .map(({ id, result, text: what }) => `<li>${badge(result)} ${text(id)} ${prose(what)}</li>`)
          .join('')
  }</ul></details>`;

const condition = (each: ModuleReport['conditions'][number]): string =>
  `<tr${hasFailed(each) ? ' class="failed"' : ''}><td>${badge(each.result)} ${text(each.id)}</td><td>${text(each.clause)}</td><td>${prose(each.text)}</td><td>${prose(each.expected ?? '')}</td><td>${prose(each.got ?? '')}${each.exchanges.map(id => ` <a href="#exchange-${id}">#${id}</a>`).join('')}${differences(each)}</td></tr>`;

const differences = ({ fields = [] }: ModuleReport['conditions'][number]): string =>
  fields
    .map(each => `<br>${text(each.field)}: <del>${text(each.expected)}</del> <ins>${text(each.got)}</ins>`)
    .join('');

/** The exchanges of a report as HTML. Each is shown once; a second place refers to the first. A body that is cut is not sent again. */
function createExchangeParts(modules: readonly ModuleReport[], isCut: boolean) {
  const all = new Map(modules.flatMap(({ exchanges }) => exchanges.map(each => [each.id, each] as const)));
  const done = new Set<string>();
  const shown = (id: string, isOpen: boolean): string => {
    const each = all.get(id);
    if (!each) return '';
    if (done.has(id)) return `<p class="quiet"><a href="#exchange-${id}">#${id} ${text(each.operation)}</a>, above</p>`;
    done.add(id);
    return exchange(each, isOpen, isCut);
  };
  return {
    shown,
    ofModule({ exchanges, conditions }: ModuleReport): string {
      if (exchanges.length === 0) return '';
      const failed = new Set(conditions.filter(hasFailed).flatMap(each => each.exchanges));
      return [diagram(exchanges), ...exchanges.map(({ id }) => shown(id, failed.has(id)))].join('\n');
    },
  };
}

const ROW = 26;
const MAX_ARROWS = 60;

/** The calls between the VASP and the enclave, from top to bottom. */
function diagram(exchanges: readonly EvidenceExchange[]): string {
  const shown = exchanges.slice(0, MAX_ARROWS);
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
  return `<div class="wide" tabindex="0"><svg viewBox="0 0 700 ${height}" role="img" aria-label="Sequence of the exchanges"><text x="110" y="18">VASP</text><text x="590" y="18">enclave</text><line x1="110" y1="24" x2="110" y2="${height}"/><line x1="590" y1="24" x2="590" y2="${height}"/>${arrows.join('')}</svg></div>`;
}

function exchange(each: EvidenceExchange, isOpen: boolean, isCut: boolean): string {
  const who = each.direction === 'IN' ? 'the VASP called' : 'the VASP was called';
  return `<details id="exchange-${each.id}"${isOpen ? ' open' : ''}><summary>#${each.id} ${each.method} ${text(each.operation)}: ${text(String(each.status ?? each.error))} · ${who} · ${durationText(each)} · ${each.at}</summary>
<pre tabindex="0">${text(pretty(each.request))}</pre><pre tabindex="0">${text(pretty(each.response))}</pre>
${isCut ? '' : again(each)}</details>`;
}

const again = (each: EvidenceExchange): string =>
  `<p class="quiet">Again${each.direction === 'IN' ? '' : ', with the header of your token in TOKEN_HEADER'}:</p><pre tabindex="0">${text(curl(each))}</pre>`;

function pretty(body: string | null): string {
  if (body === null) return '(nothing)';
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** A hosted sandbox needs the key. */
const HEADER_OF_KEY = ` \${ROBOT_VASP_API_KEY:+-H "Authorization: Bearer $ROBOT_VASP_API_KEY"}`;

/** Neither token nor key is part of it: variables hold them. */
const curl = ({ method, url, request, direction }: EvidenceExchange): string => {
  const address = (direction === 'IN' ? '"$ROBOT_VASP_URL"' : '') + shellWord(url);
  const header = direction === 'IN' ? HEADER_OF_KEY : ' -H "$TOKEN_HEADER"';
  const body = request === null ? '' : ` -H 'content-type: application/json' -d ${shellWord(request)}`;
  return `curl -sS -X ${shellWord(method)}${header}${body} ${address}`;
};

const text = (value: string): string => value.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

/** Text between back-ticks is set as code, as in the console. */
const prose = (value: string): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');
