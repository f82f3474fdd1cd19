import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { CallerId, Own } from '../contract/tenancy.ts';
import type { Db } from './open.ts';
import {
  BOUND_LIMIT,
  findRow,
  findRows,
  isAmong,
  lastIdOf,
  onceForDb,
  preparedQuery,
} from './prepared-statements.ts';
import { verifications } from './schema/enclave.ts';
import { transfers } from './schema/robot.ts';
import { type HistoryMachine, history } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

/** One line of the history: a change of status (`from`, `to`), or an event without one. */
export interface HistoryEntry {
  machine: HistoryMachine;
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

/** A line as it is read. Later lines have greater ids. */
export interface HistoryRow extends Required<HistoryEntry> {
  id: number;
  vaspId: string | null;
}

const p = sql.placeholder;

/** By position: SQLite looks every name up at each call. A verification has many lines. */
const addLine = onceForDb(({ sqlite }) =>
  sqlite.prepare(`INSERT INTO runtime_history
    (verification_uuid, machine, row_key, vasp_id, from_state, event, to_state, at, cause, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
);

/** A VASP may repeat a call for ever. A verification keeps its first lines and its newest. */
const FIRST_KEPT = 100;
const MOST_KEPT = 2_000;
const REMOVED_AT_ONCE = 100;
const countLines = onceForDb(({ sqlite }) =>
  sqlite.prepare('SELECT count(*) FROM runtime_history WHERE verification_uuid = ?').pluck(),
);
/** What was decided about a fault stays decided. */
const removeOldLines = onceForDb(({ sqlite }) =>
  sqlite.prepare(`DELETE FROM runtime_history WHERE id IN (
    SELECT id FROM runtime_history WHERE verification_uuid = ? AND machine <> 'fault'
    ORDER BY id LIMIT ${REMOVED_AT_ONCE} OFFSET ${FIRST_KEPT})`),
);

export function record(tx: Tx, entry: HistoryEntry): void {
  const { verificationUuid, machine, rowKey, vaspId = null, from, event, to, at, cause, detail } = entry;
  const json = detail == null ? null : JSON.stringify(detail);
  addLine(tx).run(...[verificationUuid, machine, rowKey, vaspId, from, event, to, at, cause, json]);
  if (verificationUuid === null || (countLines(tx).get(verificationUuid) as number) <= MOST_KEPT) return;
  removeOldLines(tx).run(verificationUuid);
}

/** Lines that are stored later have greater ids. */
export const newestHistory = (db: Db): number => lastIdOf(db, history);

const seenLines = preparedQuery(db =>
  db.orm
    .select()
    .from(history)
    .where(
      and(
        eq(history.verificationUuid, p('verificationUuid')),
        lt(history.id, p('before')),
        or(isNull(history.vaspId), isAmong(history.vaspId, p('vaspIds'))),
      ),
    )
    .orderBy(desc(history.id))
    .limit(BOUND_LIMIT),
);

/** Newest first: the lines before an id that every VASP sees, and those that only one of `vaspIds` sees. */
export const historyOf = (
  db: Db,
  verificationUuid: Own<string>,
  { vaspIds, before, limit }: { vaspIds: readonly string[]; before: number; limit: number },
): HistoryRow[] => seenLines(db).all({ verificationUuid, vaspIds: JSON.stringify(vaspIds), before, limit });

/** For work that no VASP asks for. */
export const unguardedHistoryOf = (db: Db, verificationUuid: string): HistoryRow[] =>
  findRows(db, history, { verificationUuid }, 'id');

/** What was recorded first about a row of a verification. For work that no VASP asks for. */
export const firstLineOf = (
  db: Db,
  line: Pick<HistoryRow, 'verificationUuid' | 'machine' | 'rowKey'>,
): HistoryRow | undefined => findRow(db, history, line);

/** Records an event once per verification, although it may be repeated after a crash. */
export function recordOnce(tx: Tx, entry: HistoryEntry & { verificationUuid: string }): void {
  const { verificationUuid, machine, event } = entry;
  if (!findRow(tx, history, { verificationUuid, machine, event })) record(tx, entry);
}

export interface HistoryQuery {
  after: number;
  /** One of the VASPs of the verification. Lines without a verification are for every VASP. */
  vaspId: CallerId;
  /** Lines that only these VASPs see are included. */
  own: readonly string[];
  verificationUuid?: string | undefined;
  machines?: readonly HistoryMachine[] | undefined;
  limit: number;
}

/** A line of a verification of the caller, or without a verification. */
export type OwnHistoryRow = HistoryRow & { verificationUuid: Own<string> | null };

const isWithoutVerification = isNull(history.verificationUuid);

/** Oldest first. */
export const historyAfter = (
  db: Db,
  { after, vaspId, own, verificationUuid, machines, limit }: HistoryQuery,
): OwnHistoryRow[] =>
  db.orm
    .select(getTableColumns(history))
    .from(history)
    .leftJoin(verifications, eq(verifications.uuid, history.verificationUuid))
    .where(
      and(
        gt(history.id, after),
        verificationUuid === undefined
          ? or(
              isWithoutVerification,
              eq(verifications.originatingVaspId, vaspId),
              eq(verifications.beneficiaryVaspId, vaspId),
            )
          : eq(history.verificationUuid, verificationUuid),
        or(isNull(history.vaspId), inArray(history.vaspId, [...own])),
        machines && inArray(history.machine, [...machines]),
      ),
    )
    .orderBy(asc(history.id))
    .limit(limit)
    .all() as OwnHistoryRow[];

/** Moves the earlier lines of a row, written without a verification, into the history of its verification. */
export const attributeHistory = (
  tx: Tx,
  machine: HistoryMachine,
  rowKey: string,
  verificationUuid: string,
): void =>
  void tx.orm
    .update(history)
    .set({ verificationUuid })
    .where(and(isWithoutVerification, eq(history.machine, machine), eq(history.rowKey, rowKey)))
    .run();

export const deleteHistory = (tx: Tx, verificationUuids: readonly string[]): void =>
  void tx.orm.delete(history).where(inArray(history.verificationUuid, verificationUuids)).run();

/** Deletes the lines about the transfers to a VASP, whose verifications are gone. */
export const deleteTransferHistory = (tx: Tx, vaspId: string): void =>
  void tx.orm
    .delete(history)
    .where(
      inArray(
        history.verificationUuid,
        tx.orm
          .select({ uuid: transfers.verificationUuid })
          .from(transfers)
          .where(eq(transfers.vaspId, vaspId)),
      ),
    )
    .run();

/** Deletes the lines of a VASP without a verification. */
export const deleteOwnHistory = (tx: Tx, vaspId: string): void =>
  void tx.orm
    .delete(history)
    .where(and(isWithoutVerification, eq(history.vaspId, vaspId)))
    .run();
