import type { EvidenceExchange, ModuleReport } from '../../contract/plans.ts';
import { hasFailed } from '../outcome.ts';

/** The exchanges of a report as HTML. Each is shown once; a second place refers to the first. */
export function createExchangeParts(modules: readonly ModuleReport[]) {
  const all = new Map(modules.flatMap(({ exchanges }) => exchanges.map(each => [each.id, each] as const)));
  const done = new Set<string>();
  const shown = (id: string, isOpen: boolean): string => {
    const each = all.get(id);
    if (!each) return '';
    if (done.has(id))
      return `<p class="quiet"><a href="#exchange-${id}">#${id} ${text(each.operation)}</a>, above</p>`;
    done.add(id);
    return exchange(each, isOpen);
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
  return `<div class="wide"><svg viewBox="0 0 700 ${height}" role="img" aria-label="Sequence of the exchanges"><text x="110" y="18">VASP</text><text x="590" y="18">enclave</text><line x1="110" y1="24" x2="110" y2="${height}"/><line x1="590" y1="24" x2="590" y2="${height}"/>${arrows.join('')}</svg></div>`;
}

function exchange(each: EvidenceExchange, isOpen: boolean): string {
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

export const text = (value: string): string =>
  value.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
