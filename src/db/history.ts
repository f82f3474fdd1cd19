import { and, asc, eq, inArray, type SQLWrapper } from 'drizzle-orm';
import { preparedInsert } from './insert.ts';
import type { Db } from './open.ts';
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

const COLUMNS = [
  'machine',
  'rowKey',
  'verificationUuid',
  'from',
  'event',
  'to',
  'at',
  'cause',
  'detail',
] as const;
const prepareInsert = (db: Db) => preparedInsert(db, history, COLUMNS);
const inserts = new WeakMap<Db, ReturnType<typeof prepareInsert>>();

export function record(tx: Tx, entry: HistoryEntry): void {
  const insert = inserts.get(tx) ?? prepareInsert(tx);
  inserts.set(tx, insert);
  insert({ ...entry, detail: entry.detail === undefined ? null : JSON.stringify(entry.detail) });
}

/** For a fact that may be told again after a crash: the first telling stands. */
export function recordOnce(tx: Tx, entry: HistoryEntry & { verificationUuid: string }): void {
  const told = tx.orm
    .select({ id: history.id })
    .from(history)
    .where(
      and(
        eq(history.verificationUuid, entry.verificationUuid),
        eq(history.machine, entry.machine),
        eq(history.event, entry.event),
      ),
    )
    .get();
  if (!told) record(tx, entry);
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
