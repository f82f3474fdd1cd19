import { and, asc, desc, eq, gt, gte, isNotNull, ne, sql } from 'drizzle-orm';
import { countUpTo } from '../db/count.ts';
import { newestHistory, record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import {
  BOUND_LIMIT,
  deleteRows,
  deleteSome,
  findRow,
  preparedIterator,
  preparedQuery,
  updateRows,
} from '../db/prepared-statements.ts';
import { type TimerKind, timers } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';
import { toIso } from '../kernel/clock.ts';
import { TIMER_HISTORY, wholePayload } from './registry.ts';

export type TimerRow = typeof timers.$inferSelect;
export type NewTimerRow = Omit<TimerRow, 'id' | 'attempts' | 'lastError' | 'generation'>;
/** In the order of the due times. */
export type TimerPosition = Pick<TimerRow, 'dueAt' | 'id'>;

export const queueOf = ({ queue, kind, key }: TimerRow): string => queue ?? `${kind} ${key}`;

const whole = (db: Db) => db.orm.select().from(timers);
const p = sql.placeholder;
const row = {
  kind: p('kind'),
  key: p('key'),
  owner: p('owner'),
  queue: p('queue'),
  dueAt: p('dueAt'),
  payload: p('payload'),
  why: p('why'),
};

const isOf = and(eq(timers.kind, p('kind')), eq(timers.key, p('key')));
const upsertQuery = preparedQuery(db =>
  db.orm
    .insert(timers)
    .values(row)
    .onConflictDoUpdate({
      target: [timers.kind, timers.key],
      set: {
        owner: sql`excluded.owner`,
        queue: sql`excluded.lane`,
        dueAt: sql`excluded.due_at`,
        payload: sql`excluded.payload`,
        why: sql`excluded.why`,
        attempts: 0,
        lastError: null,
        generation: sql`${timers.generation} + 1`,
      },
    }),
);

const insertIfAbsentQuery = preparedQuery(db => db.orm.insert(timers).values(row).onConflictDoNothing());
const removeQuery = preparedQuery(db => db.orm.delete(timers).where(isOf).returning());

const nextTimesQuery = preparedQuery(db =>
  db.orm
    .select({ dueAt: timers.dueAt })
    .from(timers)
    .where(and(eq(timers.owner, p('owner')), gt(timers.dueAt, p('now'))))
    .orderBy(asc(timers.dueAt))
    .limit(BOUND_LIMIT),
);

const inOrderQuery = preparedIterator(timers, db =>
  whole(db)
    .where(and(eq(timers.owner, p('owner')), ne(timers.kind, p('except'))))
    .orderBy(asc(timers.dueAt), asc(timers.id)),
);

export const upsert = (tx: Tx, timer: NewTimerRow): boolean => upsertQuery(tx).run(timer).changes === 1;

/** False: a timer of this kind and key is already pending. */
export const insertIfAbsent = (tx: Tx, timer: NewTimerRow): boolean => insertIfAbsentQuery(tx).run(timer).changes === 1;

export const remove = (tx: Tx, kind: TimerKind, key: string): TimerRow | undefined =>
  removeQuery(tx).get({ kind, key });

export const find = (db: Db, kind: TimerKind, key: string): TimerRow | undefined => findRow(db, timers, { kind, key });

/** False, here and in `move`: the timer was scheduled again or removed meanwhile. */
export const finish = (tx: Tx, { id, generation }: TimerRow): boolean =>
  deleteRows(tx, timers, { id, generation }) === 1;

export const move = (
  tx: Tx,
  { id, generation }: TimerRow,
  to: Pick<TimerRow, 'dueAt' | 'attempts' | 'lastError'> & Partial<Pick<TimerRow, 'why' | 'payload'>>,
): boolean => updateRows(tx, timers, { id, generation }, to) === 1;

export const renew = (tx: Tx, { id, generation }: TimerRow) =>
  void updateRows(tx, timers, { id }, { generation: generation + 1 });

/** By their due times, read one by one: a reader that stops early pays only for the rows it has read. */
export const inOrder = (db: Db, owner: string, except: TimerKind | '' = ''): Generator<TimerRow> =>
  inOrderQuery(db, { owner, except });

/** The next ones first, behind `after`. */
export const pendingOf = (db: Db, owner: string, { dueAt, id }: TimerPosition, limit: number): TimerRow[] =>
  whole(db)
    .where(
      and(eq(timers.owner, owner), gte(timers.dueAt, dueAt), sql`(${timers.dueAt}, ${timers.id}) > (${dueAt}, ${id})`),
    )
    .orderBy(asc(timers.dueAt), asc(timers.id))
    .limit(limit)
    .all();

export const countOf = (db: Db, owner: string, limit: number): number =>
  countUpTo(db, limit, timers, eq(timers.owner, owner));

export const nextTimes = (db: Db, owner: string, now: number, limit: number): number[] =>
  nextTimesQuery(db)
    .all({ owner, now, limit })
    .map(({ dueAt }) => dueAt);

/** Timers of the owners with at least `times` failures in a row. */
export const failing = (db: Db, owners: readonly string[], times: number, limit: number): TimerRow[] =>
  owners
    .flatMap(owner =>
      whole(db)
        .where(and(eq(timers.owner, owner), gte(timers.attempts, times), isNotNull(timers.lastError)))
        .orderBy(desc(timers.attempts))
        .limit(limit)
        .all(),
    )
    .sort((a, b) => b.attempts - a.attempts)
    .slice(0, limit);

export const owners = (db: Db): string[] =>
  db.orm
    .selectDistinct({ owner: timers.owner })
    .from(timers)
    .all()
    .map(({ owner }) => owner);

/** At most `limit` of them. Returns how many. */
export const removeSome = (tx: Tx, owner: string, limit: number): number =>
  deleteSome(tx, timers, eq(timers.owner, owner), limit);

export const removeOwner = (tx: Tx, owner: string) => void deleteRows(tx, timers, { owner });

/** Writes the events of timers into the history of their verification: scheduled, fired, failed, canceled. */

type TimerToRecord = Pick<TimerRow, 'kind' | 'key' | 'owner' | 'payload' | 'dueAt' | 'why'>;

/** The verification with the timer in its history; null: none. */
export const verificationOf = ({ kind, key, payload }: Pick<TimerRow, 'kind' | 'key' | 'payload'>): string | null =>
  TIMER_HISTORY[kind].verificationOf(wholePayload(kind, key, payload) as never);

export function recordScheduled(tx: Tx, timer: TimerToRecord, now: number): void {
  if (!isImmediate(timer)) recordTimer(tx, timer, 'scheduled', { at: now, cause: timer.why });
}

export function recordCanceled(tx: Tx, timer: TimerToRecord & { attempts?: number }, now: number): void {
  if (isRecorded(timer)) recordTimer(tx, timer, 'canceled', { at: now, cause: timer.why });
}

/** The start of a run. History lines after `newestLine` are effects of the run or later. 0: the run is not recorded. */
export interface RunStart {
  /** Epoch milliseconds on the owner's clock. */
  at: number;
  newestLine: number;
}
export const runStart = (db: Db, timer: TimerRow, at: number): RunStart => ({
  at,
  newestLine: isRecorded(timer) ? newestHistory(db) : 0,
});

/** `next`: the timer is pending again. */
export function recordFired(
  tx: Tx,
  timer: TimerRow,
  { at, newestLine }: RunStart,
  next?: { dueAt: number; why: string | null },
): void {
  if (isRecorded(timer)) recordTimer(tx, timer, 'fired', { at, cause: timer.why, began: newestLine });
  if (next) recordTimer(tx, { ...timer, ...next }, 'scheduled', { at, cause: next.why });
}

export function recordFailed(tx: Tx, timer: TimerRow, at: number, failure: { lastError: string; dueAt: number }): void {
  recordTimer(tx, { ...timer, dueAt: failure.dueAt }, 'failed', { at, cause: failure.lastError });
}

const isImmediate = ({ kind }: Pick<TimerRow, 'kind'>): boolean => TIMER_HISTORY[kind].isImmediate;
const isRecorded = (timer: Pick<TimerRow, 'kind'> & { attempts?: number }): boolean =>
  (timer.attempts ?? 0) > 0 || !isImmediate(timer);

/** `began`: the newest line of the history when the timer started. */
function recordTimer(
  tx: Tx,
  timer: TimerToRecord,
  event: string,
  { at, cause, began }: { at: number; cause: string | null; began?: number },
): void {
  const { kind, owner, dueAt } = timer;
  const verificationUuid = verificationOf(timer);
  if (verificationUuid === null) return;
  record(tx, {
    machine: 'timer',
    rowKey: kind,
    verificationUuid,
    vaspId: TIMER_HISTORY[kind].isOnlyForOwner ? owner : null,
    from: null,
    event,
    to: null,
    at,
    cause: cause ?? undefined,
    detail: { dueAt: toIso(dueAt), ...(began === undefined ? {} : { began }) },
  });
}

/** Limits the running timers of one owner, so that a slow or dead VASP delays nobody else. */
const MAX_RUNNING_PER_OWNER = 64;

export type MaxOf = (owner: string, kind: TimerKind) => number;

/**
 * Due timers that may start, one of each queue. `next`: when the next one is due; Infinity: there is none. `isAll`: false:
 * others are due, too, and wait for running ones.
 */
export function pickDue(
  db: Db,
  owner: string,
  now: number,
  running: readonly { row: TimerRow; queue: string; kind: TimerKind }[],
  maxOf: MaxOf,
): { picked: TimerRow[]; next: number; isAll: boolean } {
  const busyQueues = new Set(running.map(timer => timer.queue));
  const picked: TimerRow[] = [];
  let [next, isAll] = [Number.POSITIVE_INFINITY, true];
  const isRunning = ({ id, generation }: TimerRow) =>
    running.some(({ row }) => row.id === id && row.generation === generation);
  const isFull = (kind: TimerKind) => {
    const limit = maxOf(owner, kind);
    if (limit >= MAX_RUNNING_PER_OWNER) return false;
    return [...running, ...picked].filter(timer => timer.kind === kind).length >= limit;
  };
  /** Returns the kind of the first timer that finds no room. */
  const pick = (rows: Iterable<TimerRow>): TimerKind | undefined => {
    for (const row of rows) {
      if (row.dueAt > now) {
        next = Math.min(next, row.dueAt);
        return undefined;
      }
      if (isRunning(row)) continue;
      const hasRoom = running.length + picked.length < MAX_RUNNING_PER_OWNER;
      const queue = queueOf(row);
      const isBusy = busyQueues.has(queue);
      if (hasRoom && !isBusy && !isFull(row.kind)) {
        busyQueues.add(queue);
        picked.push(row);
        continue;
      }
      isAll = false;
      if (!hasRoom) return undefined;
      if (!isBusy) return row.kind;
    }
    return undefined;
  };
  const full = pick(inOrder(db, owner));
  if (full) pick(inOrder(db, owner, full));
  return { picked, next, isAll };
}
