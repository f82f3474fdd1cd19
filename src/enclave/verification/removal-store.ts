import { and, asc, eq, gte, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, preparedQuery } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';
import { verificationMachine } from './machine.ts';
import { forgetCounts } from './sides-store.ts';

type FinalRow = Pick<typeof verifications.$inferSelect, 'id' | 'uuid' | 'createdAt'>;
/** From `after` on, created at `before` or earlier. */
export interface FinalRange {
  after: Omit<FinalRow, 'uuid'>;
  before: number;
  limit: number;
}

const isPartyTo = (vaspId: string) =>
  or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId));

const isBetween = (vaspId: string, other: string | undefined) =>
  other === undefined ? isPartyTo(vaspId) : and(isPartyTo(vaspId), isPartyTo(other));

const p = sql.placeholder;
const inRange = and(
  lte(verifications.createdAt, p('before')),
  gte(verifications.createdAt, p('createdAt')),
  sql`(${verifications.createdAt}, ${verifications.id}) > (${p('createdAt')}, ${p('id')})`,
  ne(verifications.status, verificationMachine.initial),
);

const finalOf = (whose: SQL | undefined) =>
  preparedQuery(db =>
    db.orm
      .select({ id: verifications.id, uuid: verifications.uuid, createdAt: verifications.createdAt })
      .from(verifications)
      .where(and(whose, inRange))
      .orderBy(asc(verifications.createdAt), asc(verifications.id))
      .limit(BOUND_LIMIT),
  );

const finalSent = finalOf(eq(verifications.originatingVaspId, p('vaspId')));
const finalReceived = finalOf(
  and(eq(verifications.beneficiaryVaspId, p('vaspId')), eq(verifications.originatingVaspId, p('residentVaspId'))),
);

/** At most `most` of those of a VASP. `other`: only those that it has with this one. */
export const someOf = (db: Db, vaspId: string, limit: number, other?: string): string[] =>
  db.orm
    .select({ uuid: verifications.uuid })
    .from(verifications)
    .where(isBetween(vaspId, other))
    .limit(limit)
    .all()
    .map(({ uuid }) => uuid);

export function removeAll(tx: Tx, uuids: readonly string[]): void {
  tx.orm.delete(verifications).where(inArray(verifications.uuid, uuids)).run();
  forgetCounts(tx);
}

/** Oldest first: sent by `vaspId`, and sent to it by `residentVaspId`. */
export const final = (
  db: Db,
  vaspId: string,
  residentVaspId: string,
  { after, before, limit }: FinalRange,
): FinalRow[] =>
  [
    finalSent(db).all({ vaspId, before, ...after, limit }),
    finalReceived(db).all({ vaspId, residentVaspId, before, ...after, limit }),
  ]
    .flat()
    .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id)
    .slice(0, limit);
