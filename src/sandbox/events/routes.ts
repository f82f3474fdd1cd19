import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { historyAfter, newestHistory, type ScopedHistoryRow } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { HISTORY_MACHINES } from '../../db/schema/runtime.ts';
import { onCommit } from '../../db/transaction.ts';
import type { ExchangeRow } from '../../db/whole-exchanges.ts';
import { type Endpoint, eventStream } from '../../http/endpoint.ts';
import type { EventStream, StreamedEvent } from '../../http/event-stream.ts';
import { elapsedMs, firstWithin, toIso } from '../../kernel/clock.ts';
import { firstAborted } from '../../kernel/turns.ts';
import { createLoop } from '../../timers/loop.ts';
import { readClock } from '../clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { type Places, places } from '../parameters.ts';
import {
  byPlace,
  type Entry,
  exchangeEntry,
  historyEntry,
  placeInHistory,
  placeOfExchange,
} from '../timeline/entries.ts';
import { type EventData, type EventKind, EventPosition, eventCalls } from './schema.ts';

export const eventEndpoints = (
  deps: SandboxDeps,
  streams = places('event streams'),
  feed = createFeed(deps.db),
): Endpoint[] => [
  eventStream(eventCalls.events, {
    summary: 'Follow the events of this VASP: server-sent events that can be resumed',
    refusals: ['verification-missing', 'too-many'],
    /** Events of this VASP as they happen: from `Last-Event-ID`, from `after`, or from now on. */
    run({ query: { verificationUuid, kind: kinds, after }, lastEventId, signal }, caller) {
      streams.requireFree();
      if (verificationUuid !== undefined) deps.enclave.requireParties(verificationUuid, caller);
      const from = lastEventId === undefined ? after : parsePosition(lastEventId);
      return streamEvents(deps, { caller, verificationUuid, kinds }, from, { hungUp: signal(), streams, feed });
    },
  }),
];

const HEARTBEAT_MS = 15_000;

function parsePosition(lastEventId: string): EventPosition {
  const parsed = EventPosition.safeParse(lastEventId);
  if (!parsed.success) throw refusals.invalidField('Last-Event-ID', 'should be the `id` of an event, or 0');
  return parsed.data;
}

async function* streamEvents(
  deps: SandboxDeps,
  filter: EventFilter,
  from: EventPosition | undefined,
  { hungUp, streams, feed }: { hungUp: AbortSignal; streams: Places; feed: Feed },
): EventStream<EventData> {
  let position = startOf(deps, from);
  let isBehind = from !== undefined;
  let lastSentAt = elapsedMs();
  const { signal: over, release: stopListening } = firstAborted(hungUp, deps.stopping);
  const release = streams.take();
  const follower = feed.follow();
  const readChanges = stateChanges(deps, filter, feed, from === undefined);
  try {
    yield undefined;
    for (;;) {
      const page = isBehind ? readEvents(deps, filter, position) : sharedPage(deps, filter, feed, position);
      position = page.position;
      const states = page.isFull ? [] : readChanges();
      const events = [...page.events, ...states.map(({ event, data }) => ({ id: eventId(position), event, data }))];
      if (events.length > 0) lastSentAt = elapsedMs();
      yield* events;
      if (over.aborted) return;
      if (page.isFull) continue;
      isBehind = false;
      const restMs = lastSentAt + HEARTBEAT_MS - elapsedMs();
      if (restMs > 0) await follower.wait(restMs, over);
      if (over.aborted) return;
      if (lastSentAt + HEARTBEAT_MS > elapsedMs()) continue;
      lastSentAt = elapsedMs();
      yield undefined;
    }
  } finally {
    follower.stop();
    stopListening();
    release();
  }
}

/** One read serves all streams of the VASP that have read up to here; each takes what it asked for. */
function sharedPage(
  deps: SandboxDeps,
  { caller, verificationUuid, kinds }: EventFilter,
  feed: Feed,
  position: EventPosition,
): EventsPage {
  const all = { caller, verificationUuid: undefined, kinds: undefined };
  const page = feed.shared(`${caller} ${eventId(position)}`, () => readEvents(deps, all, position));
  if (verificationUuid === undefined && kinds === undefined) return page;
  const isWanted = ({ event, data }: StreamedEvent<EventData>) =>
    (kinds?.includes(event as EventKind) ?? true) &&
    (verificationUuid === undefined || ('verificationUuid' in data && data.verificationUuid === verificationUuid));
  return { ...page, events: page.events.filter(isWanted) };
}

/** A position after the newest event comes from another database: then everything is read. */
function startOf(deps: SandboxDeps, from: EventPosition | undefined): EventPosition {
  const newest = { history: newestHistory(deps.db), exchange: deps.exchanges.newest() };
  if (!from) return newest;
  return {
    history: from.history > newest.history ? 0 : from.history,
    exchange: from.exchange > newest.exchange ? 0 : from.exchange,
  };
}

/**
 * Returns a function that reads the clock, the chain heads and the active faults, and returns those that changed since
 * its last call.
 * `skipFirst`: the present state counts as read.
 */
function stateChanges(
  deps: SandboxDeps,
  { caller, kinds, verificationUuid }: EventFilter,
  feed: Feed,
  skipFirst: boolean,
) {
  const includes = (kind: 'clock' | 'head' | 'faults') =>
    verificationUuid === undefined && (kinds === undefined || kinds.includes(kind));
  const lastStates = new Map<string, string>();
  const readState = (): Omit<StreamedEvent<EventData>, 'id'>[] => [
    ...(includes('clock')
      ? [{ event: 'clock', data: feed.shared(`clock ${caller}`, () => readClock(deps, caller)) }]
      : []),
    ...(includes('head') ? feed.shared('heads', () => readHeads(deps)).map(data => ({ event: 'head', data })) : []),
    ...(includes('faults')
      ? [
          {
            event: 'faults',
            data: feed.shared(`faults ${caller}`, () => ({
              active: deps.faults.active(caller).map(({ id }) => String(id)),
            })),
          },
        ]
      : []),
  ];
  const readChanges = () =>
    readState().filter(({ event, data }) => {
      const key = 'symbol' in data ? data.symbol : event;
      const state = 'aheadMs' in data ? JSON.stringify([data.aheadMs, data.advancing]) : JSON.stringify(data);
      const hasChanged = lastStates.get(key) !== state;
      lastStates.set(key, state);
      return hasChanged;
    });
  if (skipFirst) readChanges();
  return readChanges;
}

const readHeads = ({ robot }: SandboxDeps) =>
  ASSET_SYMBOLS.flatMap(symbol => {
    const head = robot.readPosition(symbol);
    return head ? [{ symbol, height: head.height, hash: head.hash }] : [];
  });

interface EventFilter {
  caller: CallerId;
  verificationUuid: string | undefined;
  /** Undefined: all kinds. */
  kinds: readonly EventKind[] | undefined;
}

interface EventsPage {
  events: StreamedEvent<EventData>[];
  /** After these events and all that the filter skipped. */
  position: EventPosition;
  /** There may be more events. */
  isFull: boolean;
}

const PAGE_SIZE = 100;

/** Stored events after a position, oldest first. History and exchanges are merged; each keeps its own order. */
function readEvents(deps: SandboxDeps, filter: EventFilter, from: EventPosition): EventsPage {
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

const eventId = ({ history, exchange }: EventPosition): string => `${history}.${exchange}`;

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

/** Wakes all streams after a commit and lets them share what they read. */
type Feed = ReturnType<typeof createFeed>;
interface Follower {
  /** True: there was a commit since the last call. False: the time is over, or `signal` aborted. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
}

/** Commits often come in groups. A short wait reads a group at once. */
const GATHER_MS = 20;
/** The most streams that write before requests have their turn. */
const BATCH_SIZE = 25;

function createFeed(db: Db) {
  const results = new Map<string, unknown>();
  const followers = new Set<() => void>();
  let waking: (() => void)[] = [];
  let hasCommitted = false;
  let stopListening = () => {};

  const loop = createLoop(() => {
    if (waking.length === 0) {
      waking = [...followers];
      hasCommitted = false;
    }
    for (const wake of waking.splice(0, BATCH_SIZE)) wake();
    if (waking.length > 0) loop.soon();
    else if (hasCommitted) loop.within(GATHER_MS);
  });
  function committed(): void {
    results.clear();
    hasCommitted = true;
    if (waking.length === 0) loop.within(GATHER_MS);
  }

  return {
    follow(): Follower {
      const { wake, wait } = waiter();
      if (followers.size === 0) stopListening = onCommit(db, committed);
      followers.add(wake);
      return {
        wait,
        stop() {
          followers.delete(wake);
          if (followers.size > 0) return;
          stopListening();
          results.clear();
        },
      };
    },
    /** The result of `read`, which runs once for each key between two commits. */
    shared<T>(key: string, read: () => T): T {
      if (!results.has(key)) results.set(key, read());
      return results.get(key) as T;
    },
  };
}

function waiter(): Pick<Follower, 'wait'> & { wake(): void } {
  let hasNews = false;
  let endWait = () => {};
  return {
    wake() {
      hasNews = true;
      endWait();
    },
    async wait(ms, signal) {
      if (!hasNews && !signal.aborted) {
        const done = new Promise<void>(resolve => {
          endWait = resolve;
        });
        signal.addEventListener('abort', endWait);
        await firstWithin(ms, [done]);
        signal.removeEventListener('abort', endWait);
      }
      const result = hasNews;
      hasNews = false;
      return result;
    },
  };
}
