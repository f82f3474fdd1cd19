import type * as z from 'zod';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import { newestHistory } from '../../db/history.ts';
import type { EventStream, StreamedEvent } from '../../http/event-stream.ts';
import { pause } from '../../timers/loop.ts';
import { readClock } from '../clock/read.ts';
import type { SandboxDeps } from '../deps.ts';
import { readEvents, type Wanted } from './read.ts';
import { type EventData, EventPosition, type EventsQuery } from './schema.ts';
import { wakeUp } from './wake-up.ts';

const HEARTBEAT_MS = 15_000;
/** What is written in one go is read in one go. */
const GATHER_MS = 20;

/** What happens to this VASP, as it happens: from `Last-Event-ID`, from `after`, or from now on. */
export function followEvents(
  deps: SandboxDeps,
  query: z.output<typeof EventsQuery>,
  caller: string,
  { lastEventId, hungUp }: { lastEventId: string | undefined; hungUp: AbortSignal },
): EventStream<EventData> {
  const { verificationUuid, kind: kinds } = query;
  if (verificationUuid !== undefined) deps.enclave.requireParties(verificationUuid, caller);
  const from = lastEventId === undefined ? query.after : positionOf(lastEventId);
  return follow(deps, { caller, verificationUuid, kinds }, from, hungUp);
}

function positionOf(lastEventId: string): EventPosition {
  const parsed = EventPosition.safeParse(lastEventId);
  if (!parsed.success) throw refusals.invalidField('Last-Event-ID', 'should be the `id` of an event, or 0');
  return parsed.data;
}

async function* follow(
  deps: SandboxDeps,
  wanted: Wanted,
  from: EventPosition | undefined,
  hungUp: AbortSignal,
): EventStream<EventData> {
  const newest = { history: newestHistory(deps.db), exchange: deps.exchanges.newest() };
  // A position behind the end is one of another database: nothing of this one was read.
  let position = from
    ? {
        history: from.history > newest.history ? 0 : from.history,
        exchange: from.exchange > newest.exchange ? 0 : from.exchange,
      }
    : newest;
  const over = AbortSignal.any([hungUp, deps.stopping]);
  const alarm = wakeUp(deps.db);
  const changes = presentState(deps, wanted, from === undefined);
  try {
    yield undefined;
    for (;;) {
      const page = readEvents(deps, wanted, position);
      yield* page.events;
      position = page.position;
      if (over.aborted) return;
      if (page.isFull) continue;
      for (const { event, data } of changes()) yield { id: idOf(position), event, data };
      if (await alarm.within(HEARTBEAT_MS, over)) await pause(GATHER_MS, over);
      else if (over.aborted) return;
      else yield undefined;
    }
  } finally {
    alarm.stop();
  }
}

export const idOf = ({ history, exchange }: EventPosition): string => `${history}.${exchange}`;

/** Clock and heads are what they are: only the latest counts, and only where it is another than before. */
function presentState(deps: SandboxDeps, { caller, kinds, verificationUuid }: Wanted, isKnown: boolean) {
  const isWanted = (kind: 'clock' | 'head') =>
    verificationUuid === undefined && (kinds === undefined || kinds.includes(kind));
  const sent = new Map<string, string>();
  const look = (): Omit<StreamedEvent<EventData>, 'id'>[] => [
    ...(isWanted('clock') ? [{ event: 'clock', data: readClock(deps, caller) }] : []),
    ...(isWanted('head') ? headsOf(deps).map(data => ({ event: 'head', data })) : []),
  ];
  const keyOf = (data: EventData) => ('symbol' in data ? data.symbol : 'clock');
  const changed = () =>
    look().filter(({ data }) => {
      const state = 'aheadMs' in data ? String(data.aheadMs) : JSON.stringify(data);
      const isNew = sent.get(keyOf(data)) !== state;
      sent.set(keyOf(data), state);
      return isNew;
    });
  if (isKnown) changed();
  return changed;
}

const headsOf = (deps: SandboxDeps) =>
  ASSET_SYMBOLS.flatMap(symbol => {
    const cursor = deps.robot.readPosition(symbol);
    return cursor ? [{ symbol, height: cursor.height, hash: cursor.hash }] : [];
  });
