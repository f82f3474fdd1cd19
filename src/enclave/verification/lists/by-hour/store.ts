import { and, count, desc, eq, gte, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/open.ts';
import { verifications } from '../../../../db/schema/enclave.ts';

const HOUR_MS = 3_600_000;

interface HourlyCount {
  /** Since the epoch. */
  hour: number;
  status: (typeof verifications.$inferSelect)['status'];
  count: number;
}

/** Counts the newest verifications of a VASP since `since`, at most `most` of each side. An index has all columns. */
function countsSince(db: Db, caller: string, since: number, most: number): HourlyCount[] {
  const { createdAt, id, originatingVaspId, beneficiaryVaspId, status } = verifications;
  const side = (isSent: boolean) => {
    const newest = db.orm
      .select({ hour: sql<number>`${createdAt} / ${sql.raw(String(HOUR_MS))}`.as('hour'), status })
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
      .as('newest');
    return db.orm
      .select({ hour: newest.hour, status: newest.status, count: count() })
      .from(newest)
      .groupBy(sql`${newest.hour}`, newest.status)
      .all();
  };
  return [...side(true), ...side(false)];
}

export const byHourStore = (db: Db) => ({
  countsSince: (caller: string, since: number, most: number) => countsSince(db, caller, since, most),
});
