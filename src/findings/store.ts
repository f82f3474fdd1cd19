import { and, eq, inArray, sql } from 'drizzle-orm';
import { FINDINGS } from '../contract/findings.ts';
import type { Scoped } from '../contract/tenancy.ts';
import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { findRows, insertRow, isAmong, preparedQuery } from '../db/prepared-statements.ts';
import { findings } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';
import { grouped } from '../kernel/members.ts';

export type Finding = Omit<typeof findings.$inferSelect, 'id'>;
/** Without its verification. */
export type NewFinding = Pick<Finding, 'code' | 'field' | 'expected' | 'got'>;

/** Of one VASP in one verification. */
const MAX_FINDINGS = 50;

/** D-27: keeps a finding and shows it in the timeline. The same finding again, and one too many, change nothing. */
export function addFinding(tx: Tx, finding: Finding): void {
  const { verificationUuid, vaspId, code, field, expected, got, at } = finding;
  const kept = findRows(tx, findings, { verificationUuid, vaspId });
  const isSame = (each: Finding) =>
    each.code === code && each.field === field && each.expected === expected && each.got === got;
  if (kept.length >= MAX_FINDINGS || kept.some(isSame)) return;
  insertRow(tx, findings, { verificationUuid, vaspId, code, field, expected, got, at });
  record(tx, {
    machine: 'finding',
    rowKey: verificationUuid,
    verificationUuid,
    vaspId,
    from: null,
    event: code,
    to: null,
    at,
    cause: FINDINGS[code].meaning,
    detail: { clause: FINDINGS[code].clause, field, expected, got },
  });
}

const findingsAmongQuery = preparedQuery(db =>
  db.orm
    .select()
    .from(findings)
    .where(
      and(
        isAmong(findings.verificationUuid, sql.placeholder('verificationUuids')),
        eq(findings.vaspId, sql.placeholder('vaspId')),
      ),
    ),
);

/** The findings about one VASP by verification, oldest first. */
export function findingsAmong(
  db: Db,
  verificationUuids: readonly Scoped<string>[],
  vaspId: string,
): ReadonlyMap<string, readonly Finding[]> {
  const rows = findingsAmongQuery(db).all({ verificationUuids: JSON.stringify(verificationUuids), vaspId });
  return grouped(
    rows.sort((a, b) => a.id - b.id),
    row => row.verificationUuid,
  );
}

export const deleteFindings = (tx: Tx, verificationUuids: readonly string[]): void =>
  void tx.orm.delete(findings).where(inArray(findings.verificationUuid, verificationUuids)).run();
