import { type HistoryRow, historyAfter, newestHistory } from '../../db/history.ts';
import { HISTORY_MACHINES } from '../../db/schema/runtime.ts';
import type { StreamedEvent } from '../../http/event-stream.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { ExchangeRow } from '../exchanges/store.ts';
import {
  type Entry,
  entryOf,
  entryOfExchange,
  exchangeInHistory,
  placeInHistory,
} from '../timeline/entries.ts';
import { castOf } from '../timeline/timeline.ts';
import type { EventData, EventKind, EventPosition } from './schema.ts';

export interface Wanted {
  caller: string;
  verificationUuid: string | undefined;
  /** Undefined: all. */
  kinds: readonly EventKind[] | undefined;
}

export interface EventsPage {
  events: StreamedEvent<EventData>[];
  /** Behind them, and behind what was skipped. */
  position: EventPosition;
  /** There may be more. */
  isFull: boolean;
}

const AT_ONCE = 100;

/** What is stored behind a position, oldest first: both tables merged, each in its own order. */
export function readEvents(deps: SandboxDeps, wanted: Wanted, from: EventPosition): EventsPage {
  const newest = newestHistory(deps.db);
  const lines = newest > from.history ? linesAfter(deps, wanted, from.history) : [];
  const exchanges = exchangesAfter(deps, wanted, from.exchange);
  let position = from;
  const events = merged(lines, exchanges).map(next => {
    position = { ...position, ...next.position };
    const [verificationUuid, entry] = tell(deps, next, wanted.caller);
    const id = `${position.history}.${position.exchange}`;
    return { id, event: entry.what, data: { ...entry, verificationUuid, at: toIso(entry.at) } };
  });
  // What is others' was looked at, too.
  const history = lines.length < AT_ONCE ? Math.max(newest, position.history) : position.history;
  return {
    events,
    position: { ...position, history },
    isFull: lines.length === AT_ONCE || exchanges.length === AT_ONCE,
  };
}

const linesAfter = ({ db, robot }: SandboxDeps, wanted: Wanted, after: number): HistoryRow[] =>
  historyAfter(db, {
    after,
    vaspId: wanted.caller,
    own: [wanted.caller, robot.vaspId],
    verificationUuid: wanted.verificationUuid,
    machines: wanted.kinds && HISTORY_MACHINES.filter(machine => wanted.kinds?.includes(machine)),
    limit: AT_ONCE,
  });

const exchangesAfter = (deps: SandboxDeps, { caller, verificationUuid, kinds }: Wanted, after: number) =>
  kinds === undefined || kinds.includes('http')
    ? deps.exchanges.after(caller, { after, verificationUuid, limit: AT_ONCE })
    : [];

type Next =
  | { line: HistoryRow; exchange?: undefined; position: { history: number } }
  | { line?: undefined; exchange: ExchangeRow; position: { exchange: number } };

function merged(lines: readonly HistoryRow[], exchanges: readonly ExchangeRow[]): Next[] {
  const all: Next[] = [];
  let next = 0;
  for (const exchange of exchanges) {
    for (; next < lines.length && placeInHistory(lines[next]!) < exchangeInHistory(exchange); next++)
      all.push(ofLine(lines[next]!));
    all.push({ exchange, position: { exchange: exchange.id } });
  }
  return [...all, ...lines.slice(next).map(ofLine)];
}

const ofLine = (line: HistoryRow): Next => ({ line, position: { history: line.id } });

function tell(deps: SandboxDeps, { line, exchange }: Next, caller: string): [string | null, Entry] {
  if (exchange) return [exchange.verificationUuid, entryOfExchange(exchange)];
  const { verificationUuid } = line;
  const parties = verificationUuid === null ? undefined : deps.enclave.findParties(verificationUuid);
  return [verificationUuid, entryOf(line, castOf(deps, parties, caller))];
}
