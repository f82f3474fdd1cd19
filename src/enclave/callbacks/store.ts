import { and, asc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { CallbackType } from '../../contract/callbacks.ts';
import type { Db } from '../../db/open.ts';
import { findRow, insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { callbackAttempts, callbacks } from '../../db/schema/enclave.ts';
import { timers } from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { isInStatus, SORTED } from './list-store.ts';

export type CallbackRow = typeof callbacks.$inferSelect;

type Queue = Pick<CallbackRow, 'verificationUuid' | 'receiverVaspId'>;

const whole = (db: Db) => db.orm.select().from(callbacks);
const p = sql.placeholder;
const isOfQueue = and(
  eq(callbacks.verificationUuid, p('verificationUuid')),
  eq(callbacks.receiverVaspId, p('receiverVaspId')),
);

const oldestPending = preparedQuery(db =>
  whole(db)
    .where(and(isOfQueue, eq(callbacks.status, 'PENDING'), gt(SORTED, p('after'))))
    .orderBy(asc(SORTED)),
);

const ofType = preparedQuery(db =>
  db.orm
    .select({ count: sql<number>`count(*)` })
    .from(callbacks)
    .where(and(isOfQueue, eq(callbacks.callbackType, p('callbackType')))),
);

const sentLater = preparedQuery(db =>
  db.orm
    .select({ id: callbacks.id })
    .from(callbacks)
    .where(and(isOfQueue, gt(callbacks.id, p('id')), ne(callbacks.status, 'PENDING'))),
);

export const insert = (tx: Tx, row: typeof callbacks.$inferInsert): CallbackRow => insertRow(tx, callbacks, row);

export function patch(tx: Tx, id: number, values: Partial<Omit<CallbackRow, 'id' | 'status'>>): void {
  updateRows(tx, callbacks, { id }, values);
}

/**
 * Queues with a pending callback and without a timer that delivers it; of one receiver, or of all. A queue stands there once
 * for each callback: with DISTINCT, SQLite reads all callbacks.
 */
export const pendingWithoutTimer = (db: Db, receiverVaspId?: string): Queue[] =>
  db.orm
    .select({ verificationUuid: callbacks.verificationUuid, receiverVaspId: callbacks.receiverVaspId })
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
    .all();

/** The one to deliver next, behind `after`. */
export const nextPending = (db: Db, { verificationUuid, receiverVaspId }: Queue, after = 0): CallbackRow | undefined =>
  oldestPending(db).get({ verificationUuid, receiverVaspId, after });

/** Was a later callback of the same verification and receiver sent before this one? */
export const isOvertaken = (db: Db, { id, verificationUuid, receiverVaspId }: CallbackRow): boolean =>
  sentLater(db).get({ id, verificationUuid, receiverVaspId }) !== undefined;

export const countOf = (db: Db, { verificationUuid, receiverVaspId }: Queue, callbackType: CallbackType): number =>
  ofType(db).get({ verificationUuid, receiverVaspId, callbackType })!.count;

export const find = (db: Db, id: number): CallbackRow | undefined => findRow(db, callbacks, { id });

export function removeOf(tx: Tx, verificationUuids: readonly string[]): void {
  const isOfThese = inArray(callbacks.verificationUuid, verificationUuids);
  const ids = tx.orm.select({ id: callbacks.id }).from(callbacks).where(isOfThese);
  tx.orm.delete(callbackAttempts).where(inArray(callbackAttempts.callbackId, ids)).run();
  tx.orm.delete(callbacks).where(isOfThese).run();
}
