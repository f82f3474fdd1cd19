import type * as z from 'zod';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import { newestHistory } from '../../db/history.ts';
import type { EventStream, StreamedEvent } from '../../http/event-stream.ts';
import { pause } from '../../timers/loop.ts';
import { readClock } from '../clock/read.ts';
import type { SandboxDeps } from '../deps.ts';
import type { Places } from '../places.ts';
import { commitSignal } from './commit-signal.ts';
import { type EventFilter, eventId, readEvents } from './read.ts';
import { type EventData, EventPosition, type EventsQuery } from './schema.ts';

const HEARTBEAT_MS = 15_000;
/** Commits often come in groups. A short wait reads a group at once. */
const GATHER_MS = 20;

/**
 * Events of this VASP as they happen: from `Last-Event-ID`, from `after`, or from now on. Throws `Refusal`
 * verification-missing, invalid-field, too-many.
 */
export function followEvents(
  deps: SandboxDeps,
  query: z.output<typeof EventsQuery>,
  caller: string,
  { lastEventId, hungUp, streams }: { lastEventId: string | undefined; hungUp: AbortSignal; streams: Places },
): EventStream<EventData> {
  streams.requireFree();
  const { verificationUuid, kind: kinds } = query;
  if (verificationUuid !== undefined) deps.enclave.requireParties(verificationUuid, caller);
  const from = lastEventId === undefined ? query.after : parsePosition(lastEventId);
  return streamEvents(deps, { caller, verificationUuid, kinds }, from, { hungUp, streams });
}

function parsePosition(lastEventId: string): EventPosition {
  const parsed = EventPosition.safeParse(lastEventId);
  if (!parsed.success) throw refusals.invalidField('Last-Event-ID', 'should be the `id` of an event, or 0');
  return parsed.data;
}

async function* streamEvents(
  deps: SandboxDeps,
  filter: EventFilter,
  from: EventPosition | undefined,
  { hungUp, streams }: { hungUp: AbortSignal; streams: Places },
): EventStream<EventData> {
  let position = startOf(deps, from);
  const over = AbortSignal.any([hungUp, deps.stopping]);
  const commits = commitSignal(deps.db);
  const release = streams.take();
  const readChanges = stateChanges(deps, filter, from === undefined);
  try {
    yield undefined;
    for (;;) {
      const page = readEvents(deps, filter, position);
      yield* page.events;
      position = page.position;
      if (over.aborted) return;
      if (page.isFull) continue;
      for (const { event, data } of readChanges()) yield { id: eventId(position), event, data };
      if (await commits.wait(HEARTBEAT_MS, over)) await pause(GATHER_MS, over);
      else if (over.aborted) return;
      else yield undefined;
    }
  } finally {
    commits.stop();
    release();
  }
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
 * Returns a function that reads the clock and the chain heads, and answers those that changed since its last call.
 * `skipFirst`: the present state counts as read.
 */
function stateChanges(
  deps: SandboxDeps,
  { caller, kinds, verificationUuid }: EventFilter,
  skipFirst: boolean,
) {
  const includes = (kind: 'clock' | 'head') =>
    verificationUuid === undefined && (kinds === undefined || kinds.includes(kind));
  const lastStates = new Map<string, string>();
  const readState = (): Omit<StreamedEvent<EventData>, 'id'>[] => [
    ...(includes('clock') ? [{ event: 'clock', data: readClock(deps, caller) }] : []),
    ...(includes('head') ? readHeads(deps).map(data => ({ event: 'head', data })) : []),
  ];
  const readChanges = () =>
    readState().filter(({ data }) => {
      const key = 'symbol' in data ? data.symbol : 'clock';
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
