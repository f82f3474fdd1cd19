import { eq, notExists, or, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { verifications } from './schema/enclave.ts';

/** For rows that name a verification by its uuid. */

const uuids = ({ orm }: Pick<Db, 'orm'>) => orm.select({ uuid: verifications.uuid }).from(verifications);

/** Those that a VASP has sent or received, as a subquery. */
export const uuidsOfVasp = (db: Pick<Db, 'orm'>, vaspId: string) =>
  uuids(db).where(
    or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId)),
  );

/** The row names none, or one that is not stored. */
export const isOfNoVerification = (db: Pick<Db, 'orm'>, uuid: SQLiteColumn): SQL =>
  notExists(uuids(db).where(eq(verifications.uuid, uuid)));
