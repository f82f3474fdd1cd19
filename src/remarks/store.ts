import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { REMARKS, type RemarkCode } from '../contract/remarks.ts';
import type { Scoped } from '../contract/tenancy.ts';
import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { insertRow, isAmong, preparedQuery } from '../db/prepared-statements.ts';
import { remarks } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';

/** One remark without its verification. `got` null: nothing came. */
export interface RemarkFinding {
  code: RemarkCode;
  /** Path of the member in the request or in the answer. */
  field: string;
  expected: string;
  got: string | null;
}

export interface Remark extends RemarkFinding {
  verificationUuid: string;
  /** The VASP of the conduct. */
  vaspId: string;
  at: number;
}

/** Of one VASP in one verification. */
const MAX_REMARKS = 50;

/** D-27: keeps a remark and shows it in the timeline. The same remark again, and one too many, change nothing. */
export function addRemark(tx: Tx, remark: Remark): void {
  const { verificationUuid, vaspId, code, field, expected, got, at } = remark;
  const kept = remarksOf(tx, verificationUuid, vaspId);
  const isSame = (each: Remark) =>
    each.code === code && each.field === field && each.expected === expected && each.got === got;
  if (kept.length >= MAX_REMARKS || kept.some(isSame)) return;
  insertRow(tx, remarks, { verificationUuid, vaspId, code, field, expected, got, at });
  record(tx, {
    machine: 'remark',
    rowKey: verificationUuid,
    verificationUuid,
    vaspId,
    from: null,
    event: code,
    to: null,
    at,
    cause: REMARKS[code].meaning,
    detail: { clause: REMARKS[code].clause, field, expected, got },
  });
}

const remarksQuery = preparedQuery(db =>
  db.orm
    .select()
    .from(remarks)
    .where(
      and(
        eq(remarks.verificationUuid, sql.placeholder('verificationUuid')),
        eq(remarks.vaspId, sql.placeholder('vaspId')),
      ),
    )
    .orderBy(asc(remarks.id)),
);

/** The remarks about one VASP, oldest first. */
const remarksOf = (db: Db, verificationUuid: string, vaspId: string): Remark[] =>
  remarksQuery(db).all({ verificationUuid, vaspId });

const remarksAmongQuery = preparedQuery(db =>
  db.orm
    .select()
    .from(remarks)
    .where(
      and(
        isAmong(remarks.verificationUuid, sql.placeholder('verificationUuids')),
        eq(remarks.vaspId, sql.placeholder('vaspId')),
      ),
    ),
);

/** The remarks about one VASP by verification, oldest first. */
export function remarksAmong(
  db: Db,
  verificationUuids: readonly Scoped<string>[],
  vaspId: string,
): ReadonlyMap<string, readonly Remark[]> {
  const found = new Map<string, Remark[]>();
  const rows = remarksAmongQuery(db).all({ verificationUuids: JSON.stringify(verificationUuids), vaspId });
  for (const row of rows.sort((a, b) => a.id - b.id)) {
    const ofVerification = found.get(row.verificationUuid);
    if (ofVerification) ofVerification.push(row);
    else found.set(row.verificationUuid, [row]);
  }
  return found;
}

export const deleteRemarks = (tx: Tx, verificationUuids: readonly string[]): void =>
  void tx.orm.delete(remarks).where(inArray(remarks.verificationUuid, verificationUuids)).run();
