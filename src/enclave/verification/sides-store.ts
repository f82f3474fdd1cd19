import { and, asc, count, desc, eq, gte, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { keptCounts } from '../../db/count.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, onceForDb, preparedQuery } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';
import { verificationMachine } from './machine.ts';

/** The lists of a VASP have two sides: what it sends, and what it receives. Each has an index. */

export type Role = 'originating' | 'beneficiary';
export const ROLES = ['originating', 'beneficiary'] as const;
const { id, createdAt, status, originatingVaspId, beneficiaryVaspId } = verifications;

/** Which verifications of a VASP. */
export interface Part {
  caller: string;
  role: Role | undefined;
  filters: (SQL | undefined)[];
  counterparty?: string | undefined;
  /** The filters name few rows: the index of the VASP is not read. */
  isNamed?: boolean;
}

/** Both sides have the order of their index, so that SQLite merges them without sorting. */
export function sideOf(db: Db, { caller, role, filters, counterparty, isNamed }: Part, side: Role) {
  const [own, other] =
    side === 'originating' ? [originatingVaspId, beneficiaryVaspId] : [beneficiaryVaspId, originatingVaspId];
  return db.orm
    .select({ id, createdAt, status })
    .from(verifications)
    .where(
      and(
        isNamed ? sql`+${own} = ${caller}` : eq(own, caller),
        counterparty === undefined ? undefined : eq(other, counterparty),
        // One with itself is among those that it sends.
        side === 'beneficiary' && role === undefined ? ne(other, caller) : undefined,
        ...filters,
      ),
    );
}

export function idsOf(db: Db, part: Part, limit: number, offset = 0): number[] {
  const newestFirst = [desc(sql`created_at`), desc(sql`id`)];
  const found =
    part.role === undefined
      ? unionAll(sideOf(db, part, 'originating'), sideOf(db, part, 'beneficiary'))
          .orderBy(...newestFirst)
          .limit(limit)
          .offset(offset)
          .all()
      : sideOf(db, part, part.role)
          .orderBy(...newestFirst)
          .limit(limit)
          .offset(offset)
          .all();
  return found.map(row => row.id);
}

/** Stops at `limit` of a side. */
export const countOf = (db: Db, part: Part, limit?: number): number =>
  (part.role === undefined ? ROLES : [part.role])
    .map(side => sideOf(db, part, side))
    .map(
      side =>
        db.orm
          .select({ count: count() })
          .from((limit === undefined ? side : side.limit(limit)).as('side'))
          .get()!.count,
    )
    .reduce((sum, each) => sum + each, 0);

export const areNamed = sql`${id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`;

/** In the order of `ids`. `query`: with `areNamed`. */
export function rowsOf<T extends { id: number }>(
  query: { all(values: { ids: string }): T[] },
  ids: readonly number[],
): T[] {
  const byId = new Map(query.all({ ids: JSON.stringify(ids) }).map(row => [row.id, row]));
  return ids.map(each => byId.get(each)!);
}

const counts = onceForDb(keptCounts);

/**
 * How many verifications a VASP has ordered: it sends them, or the resident VASP sends them to it. A quota asks before each
 * one. After a removal they are counted again.
 */
export const countOrdered = (db: Db, caller: string, residentVaspId: string): number =>
  counts(db).of(
    caller,
    () =>
      countOf(db, { caller, role: 'originating', filters: [] }) +
      countOf(db, { caller, role: 'beneficiary', counterparty: residentVaspId, filters: [] }),
  );

/** A verification that the VASP has ordered is stored. */
export const countOne = (tx: Tx, vaspId: string): void => counts(tx).change(vaspId, 1);

type FinalRow = Pick<typeof verifications.$inferSelect, 'id' | 'uuid' | 'createdAt'>;
/** From `after` on, created at `before` or earlier. */
export interface FinalRange {
  after: Omit<FinalRow, 'uuid'>;
  before: number;
  limit: number;
}

const isPartyTo = (vaspId: string) =>
  or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId));

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

/** At most `limit` of those of a VASP. `other`: only those that it has with this one. */
export const someOf = (db: Db, vaspId: string, limit: number, other?: string): string[] =>
  db.orm
    .select({ uuid: verifications.uuid })
    .from(verifications)
    .where(and(isPartyTo(vaspId), other === undefined ? undefined : isPartyTo(other)))
    .limit(limit)
    .all()
    .map(({ uuid }) => uuid);

export function removeAll(tx: Tx, uuids: readonly string[]): void {
  tx.orm.delete(verifications).where(inArray(verifications.uuid, uuids)).run();
  counts(tx).forget();
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
