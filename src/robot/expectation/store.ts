import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import {
  BOUND_LIMIT,
  findRow,
  findRows,
  insertRow,
  isAmong,
  preparedQuery,
  preparedRows,
  updateRows,
} from '../../db/prepared-statements.ts';
import { expectations } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { pick } from '../../kernel/members.ts';

export type Expectation = typeof expectations.$inferSelect;

/** A transfer on chain, or the transfer that a verification announces. */
export interface Payment {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
  amount: string;
}

const LISTED = {
  ...pick(expectations, 'verificationUuid', 'status', 'txHash', 'txHashSource'),
  ...pick(expectations, 'verdict', 'verdictExpected', 'verdictGot', 'verdictAt'),
};
export type ListedExpectation = Pick<Expectation, keyof typeof LISTED>;

const isOpen = eq(expectations.status, 'OPEN');
const p = sql.placeholder;
const isOfSymbol = eq(expectations.symbol, p('symbol'));
const paysTo = and(isOfSymbol, eq(expectations.account, p('account')), sql`${expectations.tag} IS ${p('tag')}`, isOpen);

const whole = (db: Db) => db.orm.select().from(expectations);
const listed = preparedQuery(db =>
  db.orm
    .select(LISTED)
    .from(expectations)
    .where(isAmong(expectations.verificationUuid, p('uuids'))),
);

/** Open expectations with this hash from the originating VASP, in the order of its naming. */
export const ofTxHash = preparedRows<{ symbol: AssetSymbol; txHash: string }, Expectation>(db =>
  whole(db)
    .where(and(isOfSymbol, eq(sql`lower(${expectations.txHash})`, sql`lower(${p('txHash')})`), isOpen))
    .orderBy(expectations.namedAt, sql`rowid`),
);

const isCandidate = and(
  paysTo,
  eq(expectations.amount, p('amount')),
  isNull(expectations.txHash),
  or(isNull(expectations.lastInquiry), ne(expectations.lastInquiry, 'CANCELED')),
);
/** One payment orders a status query of each. Those before them were asked after their own VERIFIED. */
const MAX_CANDIDATES = 100;

/** Open expectations of exactly this payment, without a hash and not canceled: the newest ones of each VASP. REF-4.5.3 */
export const candidatesOf = preparedRows<Payment, Expectation>(db => {
  const place = sql<number>`row_number() OVER (PARTITION BY ${expectations.vaspId} ORDER BY ${expectations.createdAt} DESC, rowid DESC)`;
  const ofVasp = db.orm
    .select({ uuid: expectations.verificationUuid, place: place.as('place') })
    .from(expectations)
    .where(isCandidate)
    .as('of_vasp');
  const newest = db.orm.select({ uuid: ofVasp.uuid }).from(ofVasp).where(lte(ofVasp.place, MAX_CANDIDATES));
  return whole(db).where(inArray(expectations.verificationUuid, newest)).orderBy(expectations.createdAt);
});

/** Open expectations of exactly this payment, with a newest block at VERIFIED of these heights. */
export const verifiedWithin = preparedRows<Payment & { from: number; below: number }, Expectation>(db =>
  whole(db).where(
    and(
      paysTo,
      eq(expectations.amount, p('amount')),
      gte(expectations.verifiedHeight, p('from')),
      lt(expectations.verifiedHeight, p('below')),
      isNotNull(expectations.verifiedHash),
    ),
  ),
);

export const openAt = preparedRows<Omit<Payment, 'amount'>, Expectation>(db => whole(db).where(paysTo));

/** D-36: open expectations whose named transaction may be replaced by the next block, newest first. */
export const replaceableOn = preparedRows<{ symbol: AssetSymbol; limit: number }, Expectation>(db =>
  whole(db)
    .where(
      and(
        isOfSymbol,
        // As in the partial index.
        sql`sender_sequence IS NOT NULL AND status = 'OPEN'`,
        inArray(expectations.verdict, ['AWAITED', 'NOT-FINAL']),
      ),
    )
    .orderBy(desc(expectations.namedAt))
    .limit(BOUND_LIMIT),
);

export const find = (db: Db, verificationUuid: string): Expectation | undefined =>
  findRow(db, expectations, { verificationUuid });

export const findAll = (db: Db, uuids: readonly string[]): ListedExpectation[] =>
  listed(db).all({ uuids: JSON.stringify(uuids) });

export const insert = (tx: Tx, row: typeof expectations.$inferInsert): Expectation => insertRow(tx, expectations, row);

export function patch(
  tx: Tx,
  verificationUuid: string,
  values: Partial<Omit<Expectation, 'status' | 'verificationUuid'>>,
): void {
  updateRows(tx, expectations, { verificationUuid }, values);
}

export const openOn = (db: Db, symbol: AssetSymbol): Expectation[] =>
  findRows(db, expectations, { symbol, status: 'OPEN' });

export const openOf = (db: Db, vaspId: string): Expectation[] => findRows(db, expectations, { vaspId, status: 'OPEN' });

/** Open expectations whose named transaction is judged and not credited, newest verdict first. */
export const notCredited = (db: Db, vaspId: string, limit: number): Expectation[] =>
  whole(db)
    .where(and(eq(expectations.vaspId, vaspId), isOpen, gte(expectations.verdictAt, 0)))
    .orderBy(desc(expectations.verdictAt))
    .limit(limit)
    .all();

/** At most `limit` of a VASP. */
export const someOf = (db: Db, vaspId: string, limit: number): Expectation[] =>
  whole(db).where(eq(expectations.vaspId, vaspId)).limit(limit).all();

export const removeAll = (tx: Tx, uuids: readonly string[]) =>
  void tx.orm.delete(expectations).where(inArray(expectations.verificationUuid, uuids)).run();
