import { and, asc, eq, inArray, type SQLWrapper, sql } from 'drizzle-orm';
import { REMARKS, type RemarkCode } from '../contract/remarks.ts';
import { record } from './history.ts';
import type { Db } from './open.ts';
import { insertRow } from './prepared-statements.ts';
import { remarks } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

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

/** D-27: keeps a remark and shows it in the timeline. The same remark again changes nothing. */
export function addRemark(tx: Tx, remark: Remark): void {
  const { verificationUuid, vaspId, code, field, expected, got, at } = remark;
  const isKept = remarksOf(tx, verificationUuid, vaspId).some(
    each => each.code === code && each.field === field && each.expected === expected && each.got === got,
  );
  if (isKept) return;
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

const prepareRemarks = (db: Db) =>
  db.orm
    .select()
    .from(remarks)
    .where(
      and(
        eq(remarks.verificationUuid, sql.placeholder('verificationUuid')),
        eq(remarks.vaspId, sql.placeholder('vaspId')),
      ),
    )
    .orderBy(asc(remarks.id))
    .prepare();
const queries = new WeakMap<Db, ReturnType<typeof prepareRemarks>>();

/** The remarks about one VASP, oldest first. */
export function remarksOf(db: Db, verificationUuid: string, vaspId: string): Remark[] {
  const query = queries.get(db) ?? prepareRemarks(db);
  queries.set(db, query);
  return query.all({ verificationUuid, vaspId });
}

/** `verificationUuids`: a subquery. */
export const deleteRemarks = (tx: Tx, verificationUuids: SQLWrapper): void =>
  void tx.orm.delete(remarks).where(inArray(remarks.verificationUuid, verificationUuids)).run();
