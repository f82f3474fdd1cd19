import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CallbackType } from '../../contract/callbacks.ts';
import { countUpTo } from '../../db/count-up-to.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import {
  type CallbackAttempt,
  callbackAttempts,
  callbacks,
  type StoredAttempt,
} from '../../db/schema/enclave.ts';
import { timers } from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';

export type CallbackRow = typeof callbacks.$inferSelect;
export type CallbackStore = ReturnType<typeof callbackStore>;

export interface CallbackQuery {
  /** Only those behind this id, before that one. */
  after?: number | undefined;
  before?: number | undefined;
  order?: 'oldest' | 'newest' | undefined;
  type?: CallbackRow['callbackType'] | undefined;
  status?: CallbackRow['status'] | undefined;
  verificationUuid?: string | undefined;
  limit: number;
}

/** The callbacks of one verification to one receiver. */
type Queue = Pick<CallbackRow, 'verificationUuid' | 'receiverVaspId'>;
type Queued = Pick<CallbackRow, 'callbackType' | 'data'>;
type Tried = Queued & Pick<CallbackRow, 'id' | 'firstAttempt'>;

/** As it goes out. */
export const bodyOf = ({ callbackType, data }: Queued): string => JSON.stringify({ callbackType, data });

/** `isUnchanged`: the request is the body of the callback. */
export type MadeAttempt = CallbackAttempt & { isUnchanged: boolean };

const stored = ({ isUnchanged, request, ...attempt }: MadeAttempt): StoredAttempt =>
  isUnchanged ? attempt : { ...attempt, request };

/** The partial index of the other types needs the second condition. */
const isOfType = (type: CallbackType): SQL | undefined =>
  and(
    eq(callbacks.callbackType, type),
    type === 'VERIFICATION_RESULT' ? undefined : sql`${callbacks.callbackType} <> 'VERIFICATION_RESULT'`,
  );

/** The partial index of the other ones needs the second condition. Of the delivered ones the index of the receiver has all. */
const isInStatus = (status: CallbackRow['status']): SQL | undefined =>
  and(
    eq(callbacks.status, status),
    status === 'DELIVERED' ? undefined : sql`${callbacks.status} <> 'DELIVERED'`,
  );

/** The few callbacks of one verification are sorted. The order of the id would make SQLite read all of the VASP. */
const SORTED = sql`+${callbacks.id}`;
const orderOf = ({ verificationUuid }: CallbackQuery): SQL =>
  verificationUuid === undefined ? sql`${callbacks.id}` : SORTED;

/** The SQL of callbacks and their attempts. */
export function callbackStore(db: Db) {
  const whole = () => db.orm.select().from(callbacks);
  const p = sql.placeholder;
  const isOfQueue = and(
    eq(callbacks.verificationUuid, p('verificationUuid')),
    eq(callbacks.receiverVaspId, p('receiverVaspId')),
  );
  const oldestPending = preparedQuery(
    whole()
      .where(and(isOfQueue, eq(callbacks.status, 'PENDING'), gt(SORTED, p('after'))))
      .orderBy(asc(SORTED)),
  );
  const ofType = preparedQuery(
    db.orm
      .select({ count: sql<number>`count(*)` })
      .from(callbacks)
      .where(and(isOfQueue, eq(callbacks.callbackType, p('callbackType')))),
  );

  return {
    insert: (tx: Tx, row: typeof callbacks.$inferInsert): CallbackRow => insertRow(tx, callbacks, row),
    /** Keeps the attempts. Returns the columns of the callback that change. */
    addAttempts(tx: Tx, row: CallbackRow, made: readonly MadeAttempt[]) {
      const { id, attempts, firstAttempt } = row;
      const isFirst = attempts === 0 && firstAttempt === null;
      for (const attempt of isFirst ? made.slice(1) : made)
        insertRow(tx, callbackAttempts, { callbackId: id, ...attempt });
      return { attempts: attempts + 1, ...(isFirst ? { firstAttempt: stored(made[0]!) } : {}) };
    },
    patch(tx: Tx, id: number, values: Partial<Omit<CallbackRow, 'id' | 'status'>>) {
      updateRows(tx, callbacks, { id }, values);
    },
    /** Queues with a pending callback and without a timer that delivers it; of one receiver, or of all. */
    pendingWithoutTimer: (receiverVaspId?: string): Queue[] =>
      db.orm
        .selectDistinct({
          verificationUuid: callbacks.verificationUuid,
          receiverVaspId: callbacks.receiverVaspId,
        })
        .from(callbacks)
        .leftJoin(
          timers,
          and(
            eq(timers.kind, 'enclave.callback.deliver'),
            eq(timers.key, sql`${callbacks.verificationUuid} || ' ' || ${callbacks.receiverVaspId}`),
          ),
        )
        .where(
          and(
            isInStatus('PENDING'),
            isNull(timers.id),
            receiverVaspId === undefined ? undefined : eq(callbacks.receiverVaspId, receiverVaspId),
          ),
        )
        .all(),
    /** The one to deliver next, behind `after`. */
    nextPending: ({ verificationUuid, receiverVaspId }: Queue, after = 0): CallbackRow | undefined =>
      oldestPending.get({ verificationUuid, receiverVaspId, after }),
    /** Was a later callback of the same verification and receiver sent before this one? */
    isOvertaken: ({ id, verificationUuid, receiverVaspId }: CallbackRow): boolean =>
      db.orm
        .select({ id: callbacks.id })
        .from(callbacks)
        .where(
          and(
            eq(callbacks.verificationUuid, verificationUuid),
            eq(callbacks.receiverVaspId, receiverVaspId),
            gt(callbacks.id, id),
            ne(callbacks.status, 'PENDING'),
          ),
        )
        .get() !== undefined,
    countOf: ({ verificationUuid, receiverVaspId }: Queue, callbackType: CallbackType): number =>
      ofType.get({ verificationUuid, receiverVaspId, callbackType })!.count,
    find: (id: number): CallbackRow | undefined => whole().where(eq(callbacks.id, id)).get(),
    /** Oldest first by default. */
    page: (receiverVaspId: string, query: CallbackQuery): CallbackRow[] =>
      whole()
        .where(
          and(
            eq(callbacks.receiverVaspId, receiverVaspId),
            query.after === undefined ? undefined : gt(callbacks.id, query.after),
            query.before === undefined ? undefined : lt(callbacks.id, query.before),
            query.type === undefined ? undefined : isOfType(query.type),
            query.status === undefined ? undefined : isInStatus(query.status),
            query.verificationUuid === undefined
              ? undefined
              : eq(callbacks.verificationUuid, query.verificationUuid),
          ),
        )
        .orderBy((query.order === 'newest' ? desc : asc)(orderOf(query)))
        .limit(query.limit)
        .all(),
    /** Null: no index has the types. */
    count: (receiverVaspId: string, { type, status, verificationUuid }: CallbackQuery, most: number) =>
      type !== undefined
        ? null
        : countUpTo(
            db,
            most,
            callbacks,
            and(
              eq(callbacks.receiverVaspId, receiverVaspId),
              status === undefined ? undefined : isInStatus(status),
              verificationUuid === undefined ? undefined : eq(callbacks.verificationUuid, verificationUuid),
            ),
          ),
    removeOf(tx: Tx, verificationUuids: SQLWrapper) {
      const isOfThese = inArray(callbacks.verificationUuid, verificationUuids);
      const ids = tx.orm.select({ id: callbacks.id }).from(callbacks).where(isOfThese);
      tx.orm.delete(callbackAttempts).where(inArray(callbackAttempts.callbackId, ids)).run();
      tx.orm.delete(callbacks).where(isOfThese).run();
    },
    /** Oldest first. */
    attemptsOf(rows: readonly Tried[]): (CallbackAttempt & { callbackId: number })[] {
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return [];
      const later = db.orm
        .select()
        .from(callbackAttempts)
        .where(inArray(callbackAttempts.callbackId, ids))
        .orderBy(asc(callbackAttempts.id))
        .all();
      return [
        ...rows.flatMap(row =>
          row.firstAttempt ? { callbackId: row.id, request: bodyOf(row), ...row.firstAttempt } : [],
        ),
        ...later.map(({ id: _, ...attempt }) => attempt),
      ].sort((a, b) => a.at - b.at);
    },
  };
}
