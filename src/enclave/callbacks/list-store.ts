import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { CallbackType } from '../../contract/callbacks.ts';
import { countUpTo } from '../../db/count.ts';
import type { Db } from '../../db/open.ts';
import { callbackAttempts, callbacks } from '../../db/schema/enclave.ts';
import { fitting } from '../../kernel/page.ts';

type CallbackRow = typeof callbacks.$inferSelect;

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
/** Of the bodies, also of the first attempt. Known without reading them. */
const BYTES = sql<number>`2 * octet_length(${callbacks.data}) + coalesce(octet_length(${callbacks.firstAttempt}), 0) + coalesce((${ofAttempts}), 0)`;

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
  const ids = fitting(found)
    .slice(0, query.limit)
    .map(({ id }) => id);
  const rows = db.orm.select().from(callbacks).where(inArray(callbacks.id, ids)).orderBy(order).all();
  return { rows, next: ids.length < found.length ? String(ids.at(-1)) : null };
}

/** Null: no index has the types. */
export const count = (
  db: Db,
  receiverVaspId: string,
  { type, status, verificationUuid }: CallbackQuery,
  limit: number,
) =>
  type !== undefined
    ? null
    : countUpTo(
        db,
        limit,
        callbacks,
        and(
          eq(callbacks.receiverVaspId, receiverVaspId),
          status === undefined ? undefined : isInStatus(status),
          verificationUuid === undefined ? undefined : eq(callbacks.verificationUuid, verificationUuid),
        ),
      );
