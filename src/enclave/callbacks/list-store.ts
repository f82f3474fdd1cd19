import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { CallbackType } from '../../contract/callbacks.ts';
import { countUpTo } from '../../db/count.ts';
import type { Db } from '../../db/open.ts';
import { callbacks } from '../../db/schema/enclave.ts';

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
  and(
    eq(callbacks.status, status),
    status === 'DELIVERED' ? undefined : sql`${callbacks.status} <> 'DELIVERED'`,
  );

/** The few callbacks of one verification are sorted. The order of the id would make SQLite read all of the VASP. */
export const SORTED = sql`+${callbacks.id}`;
const orderOf = ({ verificationUuid }: CallbackQuery): SQL =>
  verificationUuid === undefined ? sql`${callbacks.id}` : SORTED;

/** Oldest first by default. */
export const page = (db: Db, receiverVaspId: string, query: CallbackQuery): CallbackRow[] =>
  db.orm
    .select()
    .from(callbacks)
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
    .all();

/** Null: no index has the types. */
export const count = (
  db: Db,
  receiverVaspId: string,
  { type, status, verificationUuid }: CallbackQuery,
  most: number,
) =>
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
      );
