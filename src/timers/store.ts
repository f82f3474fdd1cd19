import { and, asc, desc, eq, gt, gte, isNotNull, ne, sql } from 'drizzle-orm';
import { countUpTo } from '../db/count.ts';
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
import { timers } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';
import type { TimerKind } from './registry.ts';

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

export const upsert = (tx: Tx, timer: NewTimerRow) => void upsertQuery(tx).run(timer);

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

/** At most `most` of them. Returns how many. */
export const removeSome = (tx: Tx, owner: string, limit: number): number =>
  deleteSome(tx, timers, eq(timers.owner, owner), limit);

export const removeOwner = (tx: Tx, owner: string) => void deleteRows(tx, timers, { owner });
