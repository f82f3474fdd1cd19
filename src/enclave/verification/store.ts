import { and, asc, eq, gt, gte, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import { deleteEmptyCounts } from '../../db/count-by.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';
import { verificationListStore } from './list-store.ts';
import { verificationMachine } from './machine.ts';

export type Verification = typeof verifications.$inferSelect;
export type NewVerification = typeof verifications.$inferInsert;
/** From `after` on, created at `before` or earlier. */
export interface FinalRange {
  after: Omit<FinalRow, 'uuid'>;
  before: number;
  limit: number;
}
/** Whose clock its callbacks follow. */
export type VerificationParties = Pick<Verification, 'uuid' | 'originatingVaspId' | 'beneficiaryVaspId'>;
type FinalRow = Pick<Verification, 'id' | 'uuid' | 'createdAt'>;
export type VerificationStore = ReturnType<typeof verificationStore>;

/** The SQL of verifications. */
export function verificationStore(db: Db) {
  const whole = () => db.orm.select().from(verifications);
  const p = sql.placeholder;
  const byUuid = preparedQuery(whole().where(eq(verifications.uuid, p('uuid'))));
  const { uuid, originatingVaspId, beneficiaryVaspId } = verifications;
  const partiesByUuid = preparedQuery(
    db.orm
      .select({ uuid, originatingVaspId, beneficiaryVaspId })
      .from(verifications)
      .where(eq(uuid, p('uuid'))),
  );
  const byUuidAndParty = preparedQuery(
    whole().where(
      and(
        eq(verifications.uuid, p('uuid')),
        or(eq(verifications.originatingVaspId, p('party')), eq(verifications.beneficiaryVaspId, p('party'))),
      ),
    ),
  );

  const inRange = and(
    lte(verifications.createdAt, p('before')),
    gte(verifications.createdAt, p('createdAt')),
    sql`(${verifications.createdAt}, ${verifications.id}) > (${p('createdAt')}, ${p('id')})`,
    ne(verifications.status, verificationMachine.initial),
  );
  const finalOf = (whose: SQL | undefined) =>
    preparedQuery(
      db.orm
        .select({ id: verifications.id, uuid: verifications.uuid, createdAt: verifications.createdAt })
        .from(verifications)
        .where(and(whose, inRange))
        .orderBy(asc(verifications.createdAt), asc(verifications.id))
        .limit(BOUND_LIMIT),
    );
  const finalSent = finalOf(eq(verifications.originatingVaspId, p('vaspId')));
  const finalReceived = finalOf(
    and(
      eq(verifications.beneficiaryVaspId, p('vaspId')),
      eq(verifications.originatingVaspId, p('residentVaspId')),
    ),
  );
  const removeOne = preparedQuery(db.orm.delete(verifications).where(eq(verifications.uuid, p('uuid'))));

  return {
    insert: (tx: Tx, row: NewVerification): Verification => insertRow(tx, verifications, row),
    find: (uuid: string): Verification | undefined => byUuid.get({ uuid }),
    /** Without the personal data, which is most of a verification. */
    partiesOf: (uuid: string): VerificationParties | undefined => partiesByUuid.get({ uuid }),
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
    /** As a subquery. `other`: only those that the VASP has with this one. */
    uuidsOf: (tx: Tx, vaspId: string, other?: string) =>
      tx.orm.select({ uuid: verifications.uuid }).from(verifications).where(isBetween(vaspId, other)),
    /** One verification, as a subquery. */
    uuidOf: (tx: Tx, uuid: string) =>
      tx.orm.select({ uuid: verifications.uuid }).from(verifications).where(eq(verifications.uuid, uuid)),
    /** At most `most` of those of a VASP. */
    someOf: (vaspId: string, most: number, other?: string): string[] =>
      db.orm
        .select({ uuid: verifications.uuid })
        .from(verifications)
        .where(isBetween(vaspId, other))
        .limit(most)
        .all()
        .map(({ uuid }) => uuid),
    /** As a subquery. */
    uuidsAmong: (tx: Tx, uuids: readonly string[]) =>
      tx.orm
        .select({ uuid: verifications.uuid })
        .from(verifications)
        .where(inArray(verifications.uuid, uuids)),
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
    removeAll(tx: Tx, uuids: readonly string[]) {
      tx.orm.delete(verifications).where(inArray(verifications.uuid, uuids)).run();
    },
    removeOne: (_tx: Tx, uuid: string) => void removeOne.run({ uuid }),
    /** Oldest first: sent by `vaspId`, and sent to it by `residentVaspId`. */
    final: (vaspId: string, residentVaspId: string, { after, before, limit }: FinalRange): FinalRow[] =>
      [
        finalSent.all({ vaspId, before, ...after, limit }),
        finalReceived.all({ vaspId, residentVaspId, before, ...after, limit }),
      ]
        .flat()
        .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id)
        .slice(0, limit),
    removeOf(tx: Tx, vaspId: string, other?: string) {
      tx.orm.delete(verifications).where(isBetween(vaspId, other)).run();
      deleteEmptyCounts(tx);
    },
  };
}

const isPartyTo = (vaspId: string) =>
  or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId));

const isBetween = (vaspId: string, other: string | undefined) =>
  other === undefined ? isPartyTo(vaspId) : and(isPartyTo(vaspId), isPartyTo(other));
