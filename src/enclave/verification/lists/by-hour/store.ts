import { and, desc, eq, gte, ne } from 'drizzle-orm';
import type { Db } from '../../../../db/open.ts';
import { verifications } from '../../../../db/schema/enclave.ts';

/** The newest verifications of a VASP since `since`, at most `most` of each side. An index has both columns. */
function statusesSince(
  db: Db,
  caller: string,
  since: number,
  most: number,
): { createdAt: number; status: (typeof verifications.$inferSelect)['status'] }[] {
  const { createdAt, id, originatingVaspId, beneficiaryVaspId, status } = verifications;
  const side = (isSent: boolean) =>
    db.orm
      .select({ createdAt, status })
      .from(verifications)
      .where(
        and(
          eq(isSent ? originatingVaspId : beneficiaryVaspId, caller),
          gte(createdAt, since),
          isSent ? undefined : ne(originatingVaspId, caller),
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(most)
      .all();
  return [...side(true), ...side(false)];
}

export const byHourStore = (db: Db) => ({
  statusesSince: (caller: string, since: number, most: number) => statusesSince(db, caller, since, most),
});
