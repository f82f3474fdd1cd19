import { and, asc, desc, eq, inArray, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { assessments } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';

export type Assessment = typeof assessments.$inferSelect;
export type AssessmentKind = Assessment['kind'];
export type AssessmentStore = ReturnType<typeof assessmentStore>;

/** The SQL of assessments. */
export function assessmentStore(db: Db) {
  const whole = () => db.orm.select().from(assessments);
  const byRequestId = preparedQuery(whole().where(eq(assessments.requestId, sql.placeholder('requestId'))));

  return {
    insert: (tx: Tx, row: typeof assessments.$inferInsert): Assessment => insertRow(tx, assessments, row),
    find: (requestId: string): Assessment | undefined => byRequestId.get({ requestId }),
    patch(tx: Tx, id: number, values: Pick<Partial<Assessment>, 'reference' | 'failures' | 'lastError'>) {
      updateRows(tx, assessments, { id }, values);
    },
    registeredOf: (callerVaspId: string): Assessment[] =>
      whole()
        .where(and(eq(assessments.callerVaspId, callerVaspId), eq(assessments.status, 'REGISTERED')))
        .orderBy(asc(assessments.id))
        .all(),
    /** Newest first. */
    listOf: (callerVaspId: string, verificationUuid: string | undefined, limit: number): Assessment[] =>
      whole()
        .where(
          and(
            eq(assessments.callerVaspId, callerVaspId),
            verificationUuid === undefined ? undefined : eq(assessments.verificationUuid, verificationUuid),
          ),
        )
        .orderBy(desc(assessments.id))
        .limit(limit)
        .all(),
    removeOf(tx: Tx, verificationUuids: SQLWrapper) {
      tx.orm.delete(assessments).where(inArray(assessments.verificationUuid, verificationUuids)).run();
    },
  };
}
