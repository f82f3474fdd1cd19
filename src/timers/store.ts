import { and, asc, desc, eq, gt, gte, inArray, isNotNull, min, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { timers } from '../db/schema/runtime.ts';
import type { TimerKind } from './registry.ts';

/** Only `timers.ts` writes rows, so every `kind` is one of the registry. */
export type TimerRow = Omit<typeof timers.$inferSelect, 'kind'> & { kind: TimerKind };
type NewTimerRow = Omit<TimerRow, 'id' | 'attempts' | 'lastError' | 'generation'>;

const p = sql.placeholder;

/** The SQL of timers. */
export function timerStore(db: Db) {
  const row = {
    kind: p('kind'),
    key: p('key'),
    owner: p('owner'),
    lane: p('lane'),
    dueAt: p('dueAt'),
    payload: p('payload'),
    why: p('why'),
  };
  const isOf = and(eq(timers.kind, p('kind')), eq(timers.key, p('key')));
  const upsert = db.orm
    .insert(timers)
    .values(row)
    .onConflictDoUpdate({
      target: [timers.kind, timers.key],
      set: {
        owner: sql`excluded.owner`,
        lane: sql`excluded.lane`,
        dueAt: sql`excluded.due_at`,
        payload: sql`excluded.payload`,
        why: sql`excluded.why`,
        attempts: 0,
        lastError: null,
        generation: sql`${timers.generation} + 1`,
      },
    })
    .prepare();
  const insertIfAbsent = db.orm.insert(timers).values(row).onConflictDoNothing().prepare();
  const remove = db.orm.delete(timers).where(isOf).returning().prepare();
  const one = db.orm.select().from(timers).where(isOf).prepare();
  const finish = db.orm
    .delete(timers)
    .where(and(eq(timers.id, p('id')), eq(timers.generation, p('generation'))))
    .prepare();
  const nextAfter = db.orm
    .select({ dueAt: min(timers.dueAt) })
    .from(timers)
    .where(and(eq(timers.owner, p('owner')), gt(timers.dueAt, p('now'))))
    .prepare();
  const due = db.sqlite.prepare<[string, number], RawTimer>(
    'SELECT * FROM runtime_timers WHERE owner = ? AND due_at <= ? ORDER BY due_at, id',
  );

  return {
    upsert: (timer: NewTimerRow) => void upsert.run(timer),
    /** False: there is one. */
    insertIfAbsent: (timer: NewTimerRow): boolean => insertIfAbsent.run(timer).changes === 1,
    /** What was there. */
    remove: (kind: string, key: string): TimerRow | undefined =>
      remove.get({ kind, key }) as TimerRow | undefined,
    find: (kind: string, key: string): TimerRow | undefined => one.get({ kind, key }) as TimerRow | undefined,
    /** False, here and below: it was re-scheduled or removed meanwhile. */
    finish: (row: TimerRow): boolean => finish.run({ id: row.id, generation: row.generation }).changes === 1,
    move: (
      row: TimerRow,
      dueAt: number,
      patch: { attempts: number; lastError: string | null; why?: string; payload?: string },
    ): boolean =>
      db.orm
        .update(timers)
        .set({ dueAt, ...patch })
        .where(and(eq(timers.id, row.id), eq(timers.generation, row.generation)))
        .run().changes === 1,
    nextAfter: (owner: string, now: number): number | undefined =>
      nextAfter.get({ owner, now })?.dueAt ?? undefined,
    /** Lazily, in order: cost follows what is taken, not what is pending. */
    *due(owner: string, now: number): Generator<TimerRow> {
      for (const raw of due.iterate(owner, now)) yield fromRaw(raw);
    },
    pendingOf: (owner: string): TimerRow[] =>
      db.orm
        .select()
        .from(timers)
        .where(eq(timers.owner, owner))
        .orderBy(asc(timers.dueAt), asc(timers.id))
        .all() as TimerRow[],
    /** Those of the owners that have failed so often, and not succeeded since. */
    failing: (owners: readonly string[], times: number, limit: number): TimerRow[] =>
      db.orm
        .select()
        .from(timers)
        .where(and(inArray(timers.owner, owners), gte(timers.attempts, times), isNotNull(timers.lastError)))
        .orderBy(desc(timers.attempts))
        .limit(limit)
        .all() as TimerRow[],
    owners: (): string[] =>
      db.orm
        .selectDistinct({ owner: timers.owner })
        .from(timers)
        .all()
        .map(row => row.owner),
    removeOwner: (owner: string) => void db.orm.delete(timers).where(eq(timers.owner, owner)).run(),
  };
}

interface RawTimer {
  id: number;
  kind: TimerKind;
  key: string;
  owner: string;
  lane: string;
  due_at: number;
  payload: string;
  why: string;
  attempts: number;
  last_error: string | null;
  generation: number;
}

const fromRaw = ({ due_at, last_error, ...row }: RawTimer): TimerRow => ({
  ...row,
  dueAt: due_at,
  lastError: last_error,
});
