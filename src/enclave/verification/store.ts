import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';
import { verificationListStore } from './list-store.ts';
import { verificationRemovalStore } from './removal-store.ts';

export type Verification = typeof verifications.$inferSelect;
export type NewVerification = typeof verifications.$inferInsert;
/** Whose clock its callbacks follow. */
export type VerificationParties = Pick<Verification, 'uuid' | 'originatingVaspId' | 'beneficiaryVaspId'>;
export type VerificationStore = ReturnType<typeof verificationStore>;

/** The SQL of verifications. */
export function verificationStore(db: Db) {
  const whole = () => db.orm.select().from(verifications);
  const p = sql.placeholder;
  const byUuid = preparedQuery(whole().where(eq(verifications.uuid, p('uuid'))));
  const byUuidAndParty = preparedQuery(
    whole().where(
      and(
        eq(verifications.uuid, p('uuid')),
        or(eq(verifications.originatingVaspId, p('party')), eq(verifications.beneficiaryVaspId, p('party'))),
      ),
    ),
  );

  return {
    insert: (tx: Tx, row: NewVerification): Verification => insertRow(tx, verifications, row),
    find: (uuid: string): Verification | undefined => byUuid.get({ uuid }),
    /** Undefined also for a verification of others: it takes as long as one that nobody has. */
    findOf: (uuid: string, party: string): Verification | undefined => byUuidAndParty.get({ uuid, party }),
    patch(tx: Tx, id: number, values: Partial<Omit<Verification, 'id' | 'status'>>) {
      updateRows(tx, verifications, { id }, values);
    },
    /** OPEN, or VERIFIED and not credited. */
    unpaidOn: (symbol: AssetSymbol): Verification[] =>
      whole()
        .where(
          and(
            inArray(verifications.status, ['OPEN', 'VERIFIED']),
            eq(verifications.symbol, symbol),
            eq(verifications.isCredited, false),
          ),
        )
        .all(),
    ...verificationListStore(db),
    ...verificationRemovalStore(db),
    openFrom: (vaspId: string): Verification[] =>
      whole()
        .where(and(eq(verifications.originatingVaspId, vaspId), eq(verifications.status, 'OPEN')))
        .all(),
    /** Of at most `most` verifications from `vaspId` after `latest`, the times become `latest`. Returns how many. */
    moveBack(tx: Tx, vaspId: string, latest: number, most: number): number {
      const { id, originatingVaspId, createdAt, verifiedAt, orderedAt } = verifications;
      const isLater = and(eq(originatingVaspId, vaspId), gt(createdAt, latest));
      const some = tx.orm.select({ id }).from(verifications).where(isLater).limit(most);
      return tx.orm
        .update(verifications)
        .set({
          createdAt: latest,
          verifiedAt: sql`min(${verifiedAt}, ${latest})`,
          orderedAt: sql`min(${orderedAt}, ${latest})`,
        })
        .where(inArray(id, some))
        .run().changes;
    },
  };
}
