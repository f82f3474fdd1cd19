import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { insertRow, lastIdOf } from './prepared-statements.ts';
import { verifications } from './schema/enclave.ts';
import { history } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

/** One line of the history: a change of status (`from`, `to`), or an event without one. */
export interface HistoryEntry {
  machine: HistoryRow['machine'];
  rowKey: string;
  verificationUuid: string | null;
  /** The only VASP that sees the line. Without it both VASPs of the verification see it. */
  vaspId?: string | null;
  from: string | null;
  event: string;
  to: string | null;
  at: number;
  cause: string;
  detail?: unknown;
}

export function record(tx: Tx, entry: HistoryEntry): void {
  insertRow(tx, history, entry);
}

/** Id of the newest line. Later lines have greater ids. */
export const newestHistory = (db: Db): number => lastIdOf(db, history);

const prepareRecorded = (db: Db) =>
  db.orm
    .select({ id: history.id })
    .from(history)
    .where(
      and(
        eq(history.verificationUuid, sql.placeholder('verificationUuid')),
        eq(history.machine, sql.placeholder('machine')),
        eq(history.event, sql.placeholder('event')),
      ),
    )
    .prepare();
const recordedQueries = new WeakMap<Db, ReturnType<typeof prepareRecorded>>();

/** Records an event once per verification, although it may be repeated after a crash. */
export function recordOnce(tx: Tx, entry: HistoryEntry & { verificationUuid: string }): void {
  const recorded = recordedQueries.get(tx) ?? prepareRecorded(tx);
  recordedQueries.set(tx, recorded);
  if (!recorded.get({ verificationUuid: entry.verificationUuid, machine: entry.machine, event: entry.event }))
    record(tx, entry);
}

export type HistoryRow = typeof history.$inferSelect;

export const historyOf = (db: Db, verificationUuid: string): HistoryRow[] =>
  db.orm
    .select()
    .from(history)
    .where(eq(history.verificationUuid, verificationUuid))
    .orderBy(asc(history.id))
    .all();

export interface HistoryQuery {
  /** Only lines with a greater id. */
  after: number;
  /** One of the VASPs of the verification. Lines without a verification are for every VASP. */
  vaspId: string;
  /** Lines that only these VASPs see are included. */
  own: readonly string[];
  verificationUuid?: string | undefined;
  machines?: readonly HistoryRow['machine'][] | undefined;
  limit: number;
}

/** Oldest first. */
export const historyAfter = (db: Db, query: HistoryQuery): HistoryRow[] =>
  db.orm
    .select(getTableColumns(history))
    .from(history)
    .leftJoin(verifications, eq(verifications.uuid, history.verificationUuid))
    .where(
      and(
        gt(history.id, query.after),
        or(isNull(history.vaspId), inArray(history.vaspId, query.own)),
        query.verificationUuid === undefined
          ? or(
              isNull(history.verificationUuid),
              eq(verifications.originatingVaspId, query.vaspId),
              eq(verifications.beneficiaryVaspId, query.vaspId),
            )
          : eq(history.verificationUuid, query.verificationUuid),
        query.machines === undefined ? undefined : inArray(history.machine, query.machines),
      ),
    )
    .orderBy(asc(history.id))
    .limit(query.limit)
    .all();

/** Moves the earlier lines of a row, written without a verification, into the history of its verification. */
export const attributeHistory = (
  tx: Tx,
  machine: HistoryRow['machine'],
  rowKey: string,
  verificationUuid: string,
): void =>
  void tx.orm
    .update(history)
    .set({ verificationUuid })
    .where(and(isNull(history.verificationUuid), eq(history.machine, machine), eq(history.rowKey, rowKey)))
    .run();

/** `verificationUuids`: a subquery. */
export const deleteHistory = (tx: Tx, verificationUuids: SQLWrapper): void =>
  void tx.orm.delete(history).where(inArray(history.verificationUuid, verificationUuids)).run();

/** Deletes the lines of a VASP without a verification. */
export const deleteOwnHistory = (tx: Tx, vaspId: string): void =>
  void tx.orm
    .delete(history)
    .where(and(isNull(history.verificationUuid), eq(history.vaspId, vaspId)))
    .run();
