import { and, asc, eq, inArray, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { appendRow } from './rows.ts';
import { history } from './schema/runtime.ts';
import type { Tx } from './write.ts';

/** One line of a verification's story: a status that changed (`from`, `to`), or a fact without one. */
export interface HistoryEntry {
  machine: string;
  rowKey: string;
  verificationUuid: string | null;
  from: string | null;
  event: string;
  to: string | null;
  at: number;
  cause: string;
  detail?: unknown;
}

export function record(tx: Tx, { detail, ...entry }: HistoryEntry): void {
  appendRow(tx, history, { ...entry, detail: detail === undefined ? null : JSON.stringify(detail) });
}

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

export const historyOf = (db: Db, verificationUuid: string) =>
  db.orm
    .select()
    .from(history)
    .where(eq(history.verificationUuid, verificationUuid))
    .orderBy(asc(history.id))
    .all()
    .map(row => ({ ...row, detail: row.detail === null ? undefined : (JSON.parse(row.detail) as unknown) }));

/** `verificationUuids`: a subquery. */
export const forgetHistory = (tx: Tx, verificationUuids: SQLWrapper): void =>
  void tx.orm.delete(history).where(inArray(history.verificationUuid, verificationUuids)).run();
