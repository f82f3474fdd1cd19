import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, max, ne, type SQL, sql } from 'drizzle-orm';
import type { CallbackType } from '../../contract/callbacks.ts';
import { countUpTo } from '../../db/count.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import {
  type CallbackAttempt,
  callbackAttempts,
  callbacks,
  type StoredAttempt,
  verifications,
} from '../../db/schema/enclave.ts';
import { timers } from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { ofVerification, wholeCallbacks, wholeData } from '../../db/whole-exchanges.ts';
import { firstUpTo, MAX_PAGE_BYTES } from '../../kernel/page.ts';
import { cutText } from '../../kernel/text.ts';

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

/** The partial index of the other types needs the second condition. */
const isOfType = (type: CallbackType): SQL | undefined =>
  and(
    eq(callbacks.callbackType, type),
    type === 'VERIFICATION_RESULT' ? undefined : sql`${callbacks.callbackType} <> 'VERIFICATION_RESULT'`,
  );

/** The partial index of the other ones needs the second condition. Of the delivered ones the index of the receiver has all. */
export const isInStatus = (status: CallbackRow['status']): SQL | undefined =>
  and(eq(callbacks.status, status), status === 'DELIVERED' ? undefined : sql`${callbacks.status} <> 'DELIVERED'`);

/** The few callbacks of one verification are sorted. The order of the id would make SQLite read all of the VASP. */
export const SORTED = sql`+${callbacks.id}`;
const orderOf = ({ verificationUuid }: CallbackQuery): SQL =>
  verificationUuid === undefined ? sql`${callbacks.id}` : SORTED;

const ofAttempts = sql`SELECT sum(coalesce(octet_length(${callbackAttempts.request}), 0) + coalesce(octet_length(${callbackAttempts.answer}), 0))
  FROM ${callbackAttempts} WHERE ${callbackAttempts.callbackId} = ${callbacks.id}`;
/** Of the bodies, also of the first attempt. */
const BYTES = sql<number>`2 * octet_length(${wholeData})
  + coalesce(octet_length(${callbacks.firstAttempt}), 0) + coalesce((${ofAttempts}), 0)`;

/** Oldest first by default: at most `query.limit`, and about 512 KiB of bodies. `next`: null: there are no more. */
export function page(
  db: Db,
  receiverVaspId: string,
  query: CallbackQuery,
): { rows: CallbackRow[]; next: string | null } {
  const order = (query.order === 'newest' ? desc : asc)(orderOf(query));
  const found = db.orm
    .select({ id: callbacks.id, bytes: BYTES })
    .from(callbacks)
    .leftJoin(verifications, ofVerification)
    .where(
      and(
        eq(callbacks.receiverVaspId, receiverVaspId),
        query.after === undefined ? undefined : gt(callbacks.id, query.after),
        query.before === undefined ? undefined : lt(callbacks.id, query.before),
        query.type === undefined ? undefined : isOfType(query.type),
        query.status === undefined ? undefined : isInStatus(query.status),
        query.verificationUuid === undefined ? undefined : eq(callbacks.verificationUuid, query.verificationUuid),
      ),
    )
    .orderBy(order)
    .limit(query.limit + 1)
    .all();
  const ids = firstUpTo(MAX_PAGE_BYTES, found, ({ bytes }) => bytes)
    .slice(0, query.limit)
    .map(({ id }) => id);
  const rows = wholeCallbacks(db).where(inArray(callbacks.id, ids)).orderBy(order).all();
  return { rows, next: ids.length < found.length ? String(ids.at(-1)) : null };
}

/** Null: no index has the types. */
export function count(
  db: Db,
  receiverVaspId: string,
  { type, status, verificationUuid }: CallbackQuery,
  limit: number,
): number | null {
  if (type !== undefined) return null;
  const isCounted = and(
    eq(callbacks.receiverVaspId, receiverVaspId),
    status === undefined ? undefined : isInStatus(status),
    verificationUuid === undefined ? undefined : eq(callbacks.verificationUuid, verificationUuid),
  );
  return countUpTo(db, limit, callbacks, isCounted);
}

export type CallbackRow = ReturnType<ReturnType<typeof wholeCallbacks>['all']>[number];

type Queue = Pick<CallbackRow, 'verificationUuid' | 'receiverVaspId'>;

const p = sql.placeholder;
const isOfQueue = and(
  eq(callbacks.verificationUuid, p('verificationUuid')),
  eq(callbacks.receiverVaspId, p('receiverVaspId')),
);

const byId = preparedQuery(db => wholeCallbacks(db).where(eq(callbacks.id, p('id'))));

const oldestPending = preparedQuery(db =>
  wholeCallbacks(db)
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

export const insert = (tx: Tx, row: typeof callbacks.$inferInsert) => insertRow(tx, callbacks, row);

export function patch(tx: Tx, id: number, values: Partial<Pick<CallbackRow, 'attempts' | 'firstAttempt'>>): void {
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

export const find = (db: Db, id: number): CallbackRow | undefined => byId(db).get({ id });

export function removeOf(tx: Tx, verificationUuids: readonly string[]): void {
  const isOfThese = inArray(callbacks.verificationUuid, verificationUuids);
  const ids = tx.orm.select({ id: callbacks.id }).from(callbacks).where(isOfThese);
  tx.orm.delete(callbackAttempts).where(inArray(callbackAttempts.callbackId, ids)).run();
  tx.orm.delete(callbacks).where(isOfThese).run();
}

type Queued = Pick<CallbackRow, 'callbackType' | 'data'>;
type Tried = Queued & Pick<CallbackRow, 'id' | 'firstAttempt'>;

/** As it goes out. */
export const bodyOf = ({ callbackType, data }: Queued): string => JSON.stringify({ callbackType, data });

/** `isUnchanged`: the request is the body of the callback. */
export type MadeAttempt = CallbackAttempt & { isUnchanged: boolean };

const stored = ({ isUnchanged, request, answer, ...attempt }: MadeAttempt): StoredAttempt => ({
  ...attempt,
  answer: cutText(answer),
  ...(isUnchanged ? {} : { request }),
});

/** Of one callback, besides the first one. A VASP may replay it for ever. */
const MAX_LATER = 50;
function removeOld(tx: Tx, callbackId: number): void {
  const isOf = eq(callbackAttempts.callbackId, callbackId);
  const newest = tx.orm.select({ id: callbackAttempts.id }).from(callbackAttempts).where(isOf);
  const last = newest.orderBy(desc(callbackAttempts.id)).limit(1).offset(MAX_LATER).get();
  if (last)
    tx.orm
      .delete(callbackAttempts)
      .where(and(isOf, lte(callbackAttempts.id, last.id)))
      .run();
}

/** Keeps the attempts. Returns the columns of the callback that change. */
export function addAttempts(tx: Tx, row: CallbackRow, made: readonly MadeAttempt[]) {
  const { id, attempts, firstAttempt } = row;
  const isFirst = attempts === 0 && firstAttempt === null;
  for (const attempt of isFirst ? made.slice(1) : made)
    insertRow(tx, callbackAttempts, { callbackId: id, ...stored(attempt) });
  if (!isFirst) removeOld(tx, id);
  return { attempts: attempts + 1, ...(isFirst ? { firstAttempt: stored(made[0]!) } : {}) };
}

/** Oldest first. Of very long ones the newest. */
export function attemptsOf(db: Db, rows: readonly Tried[]): (CallbackAttempt & { callbackId: number })[] {
  if (rows.length === 0) return [];
  const byId = new Map(rows.map(row => [row.id, row]));
  const later = db.orm
    .select()
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, [...byId.keys()]))
    .orderBy(desc(callbackAttempts.id))
    .all();
  const first = rows.flatMap(({ id, firstAttempt }) => (firstAttempt ? [{ ...firstAttempt, callbackId: id }] : []));
  const all = [...later.map(({ id: _, ...attempt }) => attempt), ...first]
    .sort((one, other) => other.at - one.at)
    .map(attempt => {
      const { url, request = null, callbackId } = attempt;
      const sent = url === null ? null : (request ?? bodyOf(byId.get(callbackId)!));
      return { ...attempt, request: sent };
    });
  return firstUpTo(
    MAX_PAGE_BYTES,
    all,
    ({ request, answer }) => (request ?? '').length + (answer ?? '').length,
  ).reverse();
}

/** Differs from that of every other attempt of the callback. */
export const newestAttemptOf = (db: Db, { id, firstAttempt }: Tried): number =>
  db.orm
    .select({ newest: max(callbackAttempts.id) })
    .from(callbackAttempts)
    .where(eq(callbackAttempts.callbackId, id))
    .get()?.newest ?? (firstAttempt ? 0 : -1);
