import type { CallerId } from '../../contract/tenancy.ts';
import { historyAfter, newestHistory, type ScopedHistoryRow } from '../../db/history.ts';
import { HISTORY_MACHINES } from '../../db/schema/runtime.ts';
import type { ExchangeRow } from '../../db/whole-exchanges.ts';
import type { StreamedEvent } from '../../http/event-stream.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import {
  byPlace,
  type Entry,
  exchangeEntry,
  historyEntry,
  placeInHistory,
  placeOfExchange,
} from '../timeline/entries.ts';
import type { EventData, EventKind, EventPosition } from './schema.ts';

export interface EventFilter {
  caller: CallerId;
  verificationUuid: string | undefined;
  /** Undefined: all kinds. */
  kinds: readonly EventKind[] | undefined;
}

export interface EventsPage {
  events: StreamedEvent<EventData>[];
  /** After these events and all that the filter skipped. */
  position: EventPosition;
  /** There may be more events. */
  isFull: boolean;
}

const PAGE_SIZE = 100;

/** Stored events after a position, oldest first. History and exchanges are merged; each keeps its own order. */
export function readEvents(deps: SandboxDeps, filter: EventFilter, from: EventPosition): EventsPage {
  const newest = newestHistory(deps.db);
  const nothing = { lines: [], next: null };
  const { lines, next } = newest > from.history ? linesAfter(deps, filter, from.history) : nothing;
  const exchanges = exchangesAfter(deps, filter, from.exchange);
  let position = from;
  const events = mergeInOrder(lines, exchanges).map(source => {
    position = { ...position, ...source.position };
    const { verificationUuid } = source.row ?? source.exchange;
    const entry = entryOf(deps, source, filter.caller);
    const data = { ...entry, verificationUuid, at: toIso(entry.at) };
    return { id: eventId(position), event: entry.what, data };
  });
  // The filter skipped the lines of other VASPs. They count as read.
  const history = next ?? Math.max(newest, position.history);
  return { events, position: { ...position, history }, isFull: next !== null || exchanges.length === PAGE_SIZE };
}

export const eventId = ({ history, exchange }: EventPosition): string => `${history}.${exchange}`;

const linesAfter = ({ db, isHosted, robot }: SandboxDeps, filter: EventFilter, after: number) =>
  historyAfter(db, {
    after,
    vaspId: filter.caller,
    seesUnclaimed: !isHosted,
    own: [filter.caller, robot.vaspId],
    verificationUuid: filter.verificationUuid,
    machines: filter.kinds && HISTORY_MACHINES.filter(machine => filter.kinds?.includes(machine)),
    limit: PAGE_SIZE,
  });

const exchangesAfter = ({ exchanges }: SandboxDeps, { caller, verificationUuid, kinds }: EventFilter, after: number) =>
  kinds === undefined || kinds.includes('http')
    ? exchanges.after(caller, { after, verificationUuid, limit: PAGE_SIZE })
    : [];

type Source =
  | { row: ScopedHistoryRow; exchange?: undefined; position: { history: number } }
  | { row?: undefined; exchange: ExchangeRow; position: { exchange: number } };

function mergeInOrder(rows: readonly ScopedHistoryRow[], exchanges: readonly ExchangeRow[]): Source[] {
  const all: Source[] = [];
  let next = 0;
  for (const exchange of exchanges) {
    for (; next < rows.length && byPlace(placeInHistory(rows[next]!), placeOfExchange(exchange)) < 0; next++)
      all.push(historySource(rows[next]!));
    all.push({ exchange, position: { exchange: exchange.id } });
  }
  return [...all, ...rows.slice(next).map(historySource)];
}

const historySource = (row: ScopedHistoryRow): Source => ({ row, position: { history: row.id } });

function entryOf({ enclave, robot }: SandboxDeps, { row, exchange }: Source, caller: CallerId): Entry {
  if (exchange) return exchangeEntry(exchange);
  const parties = row.verificationUuid === null ? {} : enclave.findParties(row.verificationUuid);
  return historyEntry(row, { ...parties, caller, robotVaspId: robot.vaspId });
}
