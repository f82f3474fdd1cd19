import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { findRow, findRows, insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';

export type Verification = typeof verifications.$inferSelect;
export type NewVerification = typeof verifications.$inferInsert;
/** Whose clock its callbacks follow. */
export type VerificationParties = Pick<Verification, 'uuid' | 'originatingVaspId' | 'beneficiaryVaspId'>;

const whole = (db: Db) => db.orm.select().from(verifications);
const p = sql.placeholder;
const byUuidAndParty = preparedQuery(db =>
  whole(db).where(
    and(
      eq(verifications.uuid, p('uuid')),
      or(eq(verifications.originatingVaspId, p('party')), eq(verifications.beneficiaryVaspId, p('party'))),
    ),
  ),
);

export const insert = (tx: Tx, row: NewVerification): Verification => insertRow(tx, verifications, row);

export const find = (db: Db, uuid: string): Verification | undefined => findRow(db, verifications, { uuid });

/** Undefined also for a verification of others: it takes as long as one that nobody has. */
export const findOf = (db: Db, uuid: string, party: string): Verification | undefined =>
  byUuidAndParty(db).get({ uuid, party });

export function patch(tx: Tx, id: number, values: Partial<Omit<Verification, 'id' | 'status'>>): void {
  updateRows(tx, verifications, { id }, values);
}

/** OPEN, or VERIFIED and not credited. */
export const unpaidOn = (db: Db, symbol: AssetSymbol): Verification[] =>
  whole(db)
    .where(
      and(
        inArray(verifications.status, ['OPEN', 'VERIFIED']),
        eq(verifications.symbol, symbol),
        eq(verifications.isCredited, false),
      ),
    )
    .all();

export const openFrom = (db: Db, originatingVaspId: string): Verification[] =>
  findRows(db, verifications, { originatingVaspId, status: 'OPEN' });

/** Of at most `limit` verifications from `vaspId` after `latest`, the times become `latest`. Returns how many. */
export function moveBack(tx: Tx, vaspId: string, latest: number, limit: number): number {
  const { id, originatingVaspId, createdAt, verifiedAt, orderedAt } = verifications;
  const isLater = and(eq(originatingVaspId, vaspId), gt(createdAt, latest));
  const some = tx.orm.select({ id }).from(verifications).where(isLater).limit(limit);
  return tx.orm
    .update(verifications)
    .set({
      createdAt: latest,
      verifiedAt: sql`min(${verifiedAt}, ${latest})`,
      orderedAt: sql`min(${orderedAt}, ${latest})`,
    })
    .where(inArray(id, some))
    .run().changes;
}
