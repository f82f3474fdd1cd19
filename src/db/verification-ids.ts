import { eq, getTableColumns, inArray, or, type Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';
import { onceForDb } from './prepared-statements.ts';
import { verifications } from './schema/enclave.ts';

/** Rows name a verification by its id: the entries of one time stand together in an index of it. */

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

const idOfUuid = onceForDb(({ sqlite }) =>
  sqlite.prepare<[string], number>('SELECT id FROM enclave_verifications WHERE uuid = ?').pluck(),
);

/** Null: there is no such verification. */
export const readVerificationId = (db: Db, uuid: string | null): number | null =>
  uuid === null ? null : (idOfUuid(db).get(uuid) ?? null);

/** A row holds the uuid only where no verification has it. */
export function verificationOf(db: Db, uuid: string | null) {
  const verificationId = readVerificationId(db, uuid);
  return { verificationUuid: verificationId === null ? uuid : null, verificationId };
}

type OfVerification = SQLiteTable & { verificationUuid: SQLiteColumn; verificationId: SQLiteColumn };

/** The columns of a row to select. The uuid is that of the verification. */
export function columnsWithUuid<T extends OfVerification>(table: T) {
  const { verificationUuid, verificationId } = table;
  const ofVerification = sql`(SELECT ${verifications.uuid} FROM ${verifications} WHERE ${verifications.id} = ${verificationId})`;
  return {
    ...getTableColumns(table),
    verificationUuid: sql<
      T['$inferSelect']['verificationUuid']
    >`coalesce(${ofVerification}, ${verificationUuid})`,
  };
}
