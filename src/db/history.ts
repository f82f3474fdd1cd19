import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { insertRow, lastIdOf } from './prepared-statements.ts';
import { verifications } from './schema/enclave.ts';
import { history } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

/** One line of a verification's story: a status that changed (`from`, `to`), or a fact without one. */
export interface HistoryEntry {
  machine: string;
  rowKey: string;
  verificationUuid: string | null;
  /** Whose affair it is alone; without it that of both VASPs. */
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

/** Id of the last line that was written; what comes later has a greater one. */
export const newestHistory = (db: Db): number => lastIdOf(db, history);

const prepareTold = (db: Db) =>
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
const tellings = new WeakMap<Db, ReturnType<typeof prepareTold>>();

/** For a fact that may be told again after a crash: the first telling stands. */
export function recordOnce(tx: Tx, entry: HistoryEntry & { verificationUuid: string }): void {
  const told = tellings.get(tx) ?? prepareTold(tx);
  tellings.set(tx, told);
  if (!told.get({ verificationUuid: entry.verificationUuid, machine: entry.machine, event: entry.event }))
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
  /** Lines behind this id. */
  after: number;
  /** One of the VASPs of the verification; what belongs to no verification is everybody's. */
  vaspId: string;
  /** What is these VASPs' own affair is told, too. */
  own: readonly string[];
  verificationUuid?: string | undefined;
  machines?: readonly string[] | undefined;
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

/** What was told of a row before anybody knew its verification belongs to the verification's story from now on. */
export const attributeHistory = (tx: Tx, machine: string, rowKey: string, verificationUuid: string): void =>
  void tx.orm
    .update(history)
    .set({ verificationUuid })
    .where(and(isNull(history.verificationUuid), eq(history.machine, machine), eq(history.rowKey, rowKey)))
    .run();

/** `verificationUuids`: a subquery. */
export const deleteHistory = (tx: Tx, verificationUuids: SQLWrapper): void =>
  void tx.orm.delete(history).where(inArray(history.verificationUuid, verificationUuids)).run();

/** What was told of a VASP alone, outside of its verifications. */
export const deleteOwnHistory = (tx: Tx, vaspId: string): void =>
  void tx.orm
    .delete(history)
    .where(and(isNull(history.verificationUuid), eq(history.vaspId, vaspId)))
    .run();
