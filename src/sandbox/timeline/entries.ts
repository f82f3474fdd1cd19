import { MAX_DEPTH } from '../../contract/parse.ts';
import { type KeptOutcome, outcomesOf } from '../../contract/plan-list.ts';
import type { HistoryRow } from '../../db/history.ts';
import type { ExchangeRow } from '../../db/whole-exchanges.ts';
import { jsonDepth } from '../../kernel/json.ts';
import { exchangePlacement, type Placement, placementOf, type Roles } from './participants.ts';

/** One entry of a timeline: an event of the history, or an HTTP exchange. */
export interface Entry extends Placement {
  at: number;
  what: string;
  event: string;
  from: string | null;
  to: string | null;
  cause: string;
  detail?: Record<string, unknown>;
}

export function historyEntry(row: HistoryRow, roles: Roles): Entry {
  const detail = detailOf(row);
  return {
    at: row.at,
    what: row.machine,
    event: row.event,
    from: row.from,
    to: row.to,
    cause: row.cause,
    ...placementOf(row, roles),
    ...(Object.keys(detail).length === 0 ? {} : { detail }),
  };
}

/** Adds the parts that the history leaves out. */
function detailOf({ machine, rowKey, detail }: HistoryRow): Record<string, unknown> {
  const { began: _, ...kept } = (detail ?? {}) as Record<string, unknown>;
  if (machine === 'timer') return { kind: rowKey, ...kept };
  if (machine === 'judge' && 'steps' in kept) return { ...kept, steps: outcomesOf(kept.steps as KeptOutcome[]) };
  return kept;
}

/** An exchange without its bodies and its query, which may hold an account. */
export const exchangeEntry = (row: ExchangeRow): Entry => ({
  at: row.at,
  what: 'http',
  event: row.direction === 'IN' ? 'was-called' : 'called',
  from: null,
  to: null,
  cause: `${row.operation}: ${row.status ?? row.error}`,
  ...exchangePlacement(row),
  detail: {
    operation: row.operation,
    method: row.method,
    url: row.url.replace(/\?.*/s, ''),
    status: row.status,
    error: row.error,
    durationMs: row.durationMs,
    connectMs: row.connectMs,
    exchangeId: String(row.id),
  },
});

export const exchangeEntryWithBodies = (row: ExchangeRow): Entry => {
  const entry = exchangeEntry(row);
  const bodies = {
    url: row.url,
    headers: row.headers,
    request: parsedBody(row.request),
    responseHeaders: row.responseHeaders,
    response: parsedBody(row.response),
  };
  return { ...entry, detail: { ...entry.detail, ...bodies } };
};

/** The JSON value, or the text itself where it is not JSON or too deep to be written again. */
function parsedBody(body: string | null): unknown {
  if (body === null) return null;
  if (jsonDepth(body) > MAX_DEPTH) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The place of an entry: the event of the history that it follows, then its time, then its rank. */
interface Place {
  after: number;
  at: number;
  rank: number;
}

/** An event with `began` follows the one that was the newest when it began, and stands before its own effects. */
export function placeInHistory({ id, at, detail }: HistoryRow): Place {
  const { began } = (detail ?? {}) as { began?: number };
  return began === undefined ? { after: id, at, rank: 0 } : { after: began, at, rank: 1 };
}
export const placeOfExchange = ({ afterHistory, at, direction }: ExchangeRow): Place => ({
  after: afterHistory,
  at,
  rank: direction === 'IN' ? 2 : 3,
});

/** A call that came before a timer fired stands before it, and the calls of the timer behind it. */
export const byPlace = (a: Place, b: Place): number =>
  a.after - b.after || Math.sign(a.rank) - Math.sign(b.rank) || a.at - b.at || a.rank - b.rank;
