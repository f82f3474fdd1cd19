import { and, asc, eq, getTableColumns, gt, inArray, isNull, or } from 'drizzle-orm';
import type { CallerId, Own } from '../contract/tenancy.ts';
import type { Db } from './open.ts';
import { findRow, findRows, lastIdOf, onceForDb } from './prepared-statements.ts';
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

/** By position: SQLite looks every name up at each call. A verification has many lines. */
const addLine = onceForDb(({ sqlite }) =>
  sqlite.prepare(`INSERT INTO runtime_history
    (verification_uuid, machine, row_key, vasp_id, from_state, event, to_state, at, cause, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
);

export function record(tx: Tx, entry: HistoryEntry): void {
  const { verificationUuid, machine, rowKey, vaspId = null, from, event, to, at, cause, detail } = entry;
  const json = detail == null ? null : JSON.stringify(detail);
  addLine(tx).run(...[verificationUuid, machine, rowKey, vaspId, from, event, to, at, cause, json]);
}

/** Lines that are stored later have greater ids. */
export const newestHistory = (db: Db): number => lastIdOf(db, history);

export const historyOf = (db: Db, verificationUuid: Own<string>): HistoryRow[] =>
  unguardedHistoryOf(db, verificationUuid);

/** For work that no VASP asks for. */
export const unguardedHistoryOf = (db: Db, verificationUuid: string): HistoryRow[] =>
  findRows(db, history, { verificationUuid }, 'id');

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
