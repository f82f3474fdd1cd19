import type { HistoryRow } from '../../db/history.ts';
import type { ExchangeRow } from '../exchanges/store.ts';
import { type Cast, type Place, placeOf, placeOfExchange } from './lanes.ts';

/** One line of a story: a line of the history, or an exchange. */
export interface Entry extends Place {
  at: number;
  what: string;
  event: string;
  from: string | null;
  to: string | null;
  cause: string;
  detail?: Record<string, unknown>;
}

export function entryOf(row: HistoryRow, cast: Cast): Entry {
  const { began: _, ...detail } = (row.detail ?? {}) as Record<string, unknown>;
  return {
    at: row.at,
    what: row.machine,
    event: row.event,
    from: row.from,
    to: row.to,
    cause: row.cause,
    ...placeOf(row, cast),
    ...(Object.keys(detail).length === 0 ? {} : { detail }),
  };
}

export const entryOfExchange = (row: ExchangeRow): Entry => ({
  at: row.at,
  what: 'http',
  event: row.direction === 'IN' ? 'was-called' : 'called',
  from: null,
  to: null,
  cause: `${row.operation}: ${row.status ?? row.error}`,
  ...placeOfExchange(row),
  detail: {
    method: row.method,
    url: row.url,
    status: row.status,
    error: row.error,
    durationMs: row.durationMs,
  },
});

/** With what was said, as JSON where it is JSON. */
export const withBodies = (row: ExchangeRow): Entry => {
  const entry = entryOfExchange(row);
  const bodies = { request: parsed(row.request), response: parsed(row.response) };
  return { ...entry, detail: { ...entry.detail, ...bodies } };
};

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Where an entry stands among those of the same moment, by the ids of the history. What began at a line comes behind
 * it and before what it led to: a timer that fires, then the calls that it makes.
 */
export function placeInHistory({ id, detail }: HistoryRow): number {
  const { began } = (detail ?? {}) as { began?: number };
  return began === undefined ? id : began + 0.2;
}
export const exchangeInHistory = ({ afterHistory, direction }: ExchangeRow): number =>
  afterHistory + (direction === 'IN' ? 0.4 : 0.6);
