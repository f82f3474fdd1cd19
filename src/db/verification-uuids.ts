import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { verifications } from './schema/enclave.ts';

/** For rows that name a verification by its uuid. */

/** Uuids of the verifications that a VASP has sent or received, as a subquery. */
export const uuidsOfVasp = ({ orm }: Pick<Db, 'orm'>, vaspId: string) =>
  orm
    .select({ uuid: verifications.uuid })
    .from(verifications)
    .where(or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId)));

/** The row names none, or one that is not stored. */
export const isOfNoVerification = (uuid: SQLiteColumn): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.uuid} = ${uuid})`;
