import type { CallerId } from '../contract/tenancy.ts';
import { type HistoryRow, historyOf } from '../db/history.ts';
import type { ExchangeRow } from '../db/whole-exchanges.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import type { SandboxDeps } from './deps.ts';
import {
  byPlace,
  type Entry,
  exchangeEntryWithBodies,
  historyEntry,
  participantOfTimer,
  placeInHistory,
  placeOfExchange,
} from './timeline/entries.ts';
import { MAX_ENTRIES, type TimelineQuery, timelineCalls } from './timeline/schema.ts';

export const timelineEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(timelineCalls.timeline, {
    summary: 'Read what happened in one verification, in order',
    refusals: ['verification-missing'],
    precondition: 'verified',
    run: ({ params, query }, caller) => readTimeline(deps, params.uuid, caller, query),
  }),
];

/**
 * The newest entries before a position, in order. Each of the two VASPs sees the verification and its own events. Throws
 * `Refusal` verification-missing.
 */
export function readTimeline(
  deps: SandboxDeps,
  verificationUuid: string,
  caller: CallerId,
  { before = NEWEST, limit = MAX_ENTRIES }: Partial<TimelineQuery> = {},
) {
  const robotVaspId = deps.robot.vaspId;
  const parties = deps.enclave.requireParties(verificationUuid, caller);
  const roles = { ...parties, caller, robotVaspId };
  const { verificationUuid: uuid } = parties;
  const { events, exchanges, next } = newestOf(
    historyOf(deps.db, uuid, { vaspIds: [caller, robotVaspId], before: before.event, limit: limit + 1 }),
    deps.exchanges.ofVerification(caller, { verificationUuid: uuid, before: before.exchange, limit }),
    { before, limit },
  );
  return {
    verificationUuid,
    timeline: inOrder([
      ...events.map(row => ({ place: placeInHistory(row), entry: historyEntry(row, roles) })),
      ...exchanges.map(row => ({ place: placeOfExchange(row), entry: exchangeEntryWithBodies(row) })),
    ]),
    next,
    /** Next first. Timers that concern only the other VASP are left out. */
    pending: deps.timers
      .pendingOf([...deps.enclave.timersOf(uuid, caller), ...deps.robot.timersOf(uuid)])
      .sort((a, b) => a.dueAt - b.dueAt)
      .map(({ kind, dueAt, why }) => ({ kind, dueAt: toIso(dueAt), why, lane: participantOfTimer(kind) })),
  };
}

const NEWEST = { event: Number.MAX_SAFE_INTEGER, exchange: Number.MAX_SAFE_INTEGER };

/**
 * The newest of both lists, each entry on one page. The page also ends where the bodies of its exchanges are long enough.
 * Both lists are newest first, and their parts on the page oldest first.
 */
function newestOf(
  events: readonly HistoryRow[],
  exchanges: { rows: readonly ExchangeRow[]; next: string | null },
  { before, limit }: TimelineQuery,
) {
  const { rows, next } = exchanges;
  let [ofEvents, ofExchanges] = [0, 0];
  while (ofEvents + ofExchanges < limit) {
    const [event, exchange] = [events[ofEvents], rows[ofExchanges]];
    if (!exchange && (next !== null || !event)) break;
    if (!event || (exchange && exchange.afterHistory >= event.id)) ofExchanges++;
    else ofEvents++;
  }
  const isLast = ofEvents === events.length && ofExchanges === rows.length && next === null;
  const lastEvent = events[ofEvents - 1]?.id ?? before.event;
  const lastExchange = rows[ofExchanges - 1]?.id ?? before.exchange;
  return {
    events: events.slice(0, ofEvents).reverse(),
    exchanges: rows
      .slice(0, ofExchanges)
      .filter(({ isCheck }) => !isCheck)
      .reverse(),
    next: isLast ? null : `${lastEvent}-${lastExchange}`,
  };
}

/**
 * In the order of writing. Chain events have the time of the machine and the others the time of the VASP, which may be
 * ahead. So an entry never shows an earlier time than the entry before it.
 */
function inOrder(entries: { place: Parameters<typeof byPlace>[0]; entry: Entry }[]) {
  let latest = 0;
  return entries
    .sort((a, b) => byPlace(a.place, b.place))
    .map(({ entry }) => {
      latest = Math.max(latest, entry.at);
      return { ...entry, at: toIso(latest) };
    });
}
