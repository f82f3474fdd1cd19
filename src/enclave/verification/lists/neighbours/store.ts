import { and, asc, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/open.ts';
import { verifications } from '../../../../db/schema/enclave.ts';

type Place = Pick<typeof verifications.$inferSelect, 'createdAt' | 'id'>;

/** The verifications before and after one in the list of the caller, which begins with the newest. */
function neighboursOf(
  db: Db,
  { createdAt, id }: Place,
  caller: string,
): { newer: string | null; older: string | null } {
  const { originatingVaspId, beneficiaryVaspId } = verifications;
  const place = sql`(${verifications.createdAt}, ${verifications.id})`;
  const nearest = (beyond: SQL | undefined, order: typeof asc) =>
    [originatingVaspId, beneficiaryVaspId].flatMap(side =>
      db.orm
        .select({ uuid: verifications.uuid, createdAt: verifications.createdAt, id: verifications.id })
        .from(verifications)
        .where(and(eq(side, caller), beyond))
        .orderBy(order(verifications.createdAt), order(verifications.id))
        .limit(1)
        .all(),
    );
  const newer = nearest(
    and(gte(verifications.createdAt, createdAt), sql`${place} > (${createdAt}, ${id})`),
    asc,
  ).sort(inOrder)[0];
  const older = nearest(
    and(lte(verifications.createdAt, createdAt), sql`${place} < (${createdAt}, ${id})`),
    desc,
  )
    .sort(inOrder)
    .at(-1);
  return { newer: newer?.uuid ?? null, older: older?.uuid ?? null };
}

const inOrder = (a: Place, b: Place): number => a.createdAt - b.createdAt || a.id - b.id;

export const neighbourStore = (db: Db) => ({
  neighboursOf: (row: Place, caller: string) => neighboursOf(db, row, caller),
});
