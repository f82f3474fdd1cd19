import { and, desc, eq, inArray, lte } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { findRow, findRows, insertRow, updateRows } from '../../db/prepared-statements.ts';
import { assessments } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';

export type Assessment = typeof assessments.$inferSelect;
export type AssessmentKind = Assessment['kind'];

const whole = (db: Db) => db.orm.select().from(assessments);
/** Of one VASP. Older ones go, also those that still wait. */
const MAX_KEPT = 10_000;

export function insert(tx: Tx, row: typeof assessments.$inferInsert, maxKept = MAX_KEPT): Assessment {
  const isOf = eq(assessments.callerVaspId, row.callerVaspId);
  const newest = tx.orm.select({ id: assessments.id }).from(assessments).where(isOf);
  const [last] = newest
    .orderBy(desc(assessments.id))
    .limit(1)
    .offset(maxKept - 1)
    .all();
  if (last)
    tx.orm
      .delete(assessments)
      .where(and(isOf, lte(assessments.id, last.id)))
      .run();
  return insertRow(tx, assessments, row);
}

export const find = (db: Db, requestId: string): Assessment | undefined => findRow(db, assessments, { requestId });

export function patch(
  tx: Tx,
  id: number,
  values: Pick<Partial<Assessment>, 'reference' | 'failures' | 'lastError'>,
): void {
  updateRows(tx, assessments, { id }, values);
}

export const registeredOf = (db: Db, callerVaspId: string): Assessment[] =>
  findRows(db, assessments, { callerVaspId, status: 'REGISTERED' }, 'id');

/** Newest first. */
export const listOf = (
  db: Db,
  callerVaspId: string,
  verificationUuid: string | undefined,
  limit: number,
): Assessment[] =>
  whole(db)
    .where(
      and(
        eq(assessments.callerVaspId, callerVaspId),
        verificationUuid === undefined ? undefined : eq(assessments.verificationUuid, verificationUuid),
      ),
    )
    .orderBy(desc(assessments.id))
    .limit(limit)
    .all();

export function removeOf(tx: Tx, verificationUuids: readonly string[]): void {
  tx.orm.delete(assessments).where(inArray(assessments.verificationUuid, verificationUuids)).run();
}
