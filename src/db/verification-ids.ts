import { eq, inArray, or, type Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { verifications } from './schema/enclave.ts';

/**
 * Rows name a verification by its uuid. Their indexes hold its id instead: the entries of one time stand in one page,
 * while each random uuid costs a page of its own in every commit.
 */

const select = ({ orm }: Pick<Db, 'orm'>) => orm.select({ id: verifications.id }).from(verifications);

/** As a subquery. */
export const idOfVerification = (db: Pick<Db, 'orm'>, uuid: string | Placeholder) =>
  sql`(${select(db).where(eq(verifications.uuid, uuid))})`;

/** `uuids`: a subquery. */
export const idsOfVerifications = (db: Pick<Db, 'orm'>, uuids: SQLWrapper) =>
  select(db).where(inArray(verifications.uuid, uuids));

/** Of a VASP, sent and received, as a subquery. */
export const idsOfVasp = (db: Pick<Db, 'orm'>, vaspId: string) =>
  select(db).where(
    or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId)),
  );

const prepareId = (db: Db) =>
  select(db)
    .where(eq(verifications.uuid, sql.placeholder('uuid')))
    .prepare();
const queries = new WeakMap<Db, ReturnType<typeof prepareId>>();

/** Null: there is no such verification. */
export function readVerificationId(db: Db, uuid: string | null): number | null {
  if (uuid === null) return null;
  const query = queries.get(db) ?? prepareId(db);
  queries.set(db, query);
  return query.get({ uuid })?.id ?? null;
}
