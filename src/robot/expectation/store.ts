import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import {
  BOUND_LIMIT,
  findRow,
  findRows,
  insertRow,
  isAmong,
  preparedQuery,
  updateRows,
} from '../../db/prepared-statements.ts';
import { expectations } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type Expectation = typeof expectations.$inferSelect;

/** A transfer on chain, or the transfer that a verification announces. */
export interface Payment {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
  amount: string;
}

const LISTED = {
  verificationUuid: expectations.verificationUuid,
  status: expectations.status,
  txHash: expectations.txHash,
  txHashSource: expectations.txHashSource,
  verdict: expectations.verdict,
  verdictExpected: expectations.verdictExpected,
  verdictGot: expectations.verdictGot,
  verdictAt: expectations.verdictAt,
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
const ofTxHashQuery = preparedQuery(db =>
  whole(db)
    .where(and(isOfSymbol, eq(sql`lower(${expectations.txHash})`, sql`lower(${p('txHash')})`), isOpen))
    .orderBy(expectations.namedAt, sql`rowid`),
);
const candidatesQuery = preparedQuery(db =>
  whole(db)
    .where(
      and(
        paysTo,
        eq(expectations.amount, p('amount')),
        isNull(expectations.txHash),
        or(isNull(expectations.lastInquiry), ne(expectations.lastInquiry, 'CANCELED')),
      ),
    )
    .orderBy(expectations.createdAt),
);
const verifiedWithinQuery = preparedQuery(db =>
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
const openAtQuery = preparedQuery(db => whole(db).where(paysTo));
const replaceableQuery = preparedQuery(db =>
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

/** Open expectations with this hash from the originating VASP, in the order of its naming. */
export const ofTxHash = (db: Db, symbol: AssetSymbol, txHash: string): Expectation[] =>
  ofTxHashQuery(db).all({ symbol, txHash });

/** Open expectations of exactly this payment, without a hash and not canceled. REF-4.5.3 */
export const candidatesOf = (db: Db, { symbol, account, tag, amount }: Payment): Expectation[] =>
  candidatesQuery(db).all({ symbol, account, tag, amount });

export const openAt = (db: Db, { symbol, account, tag }: Omit<Payment, 'amount'>): Expectation[] =>
  openAtQuery(db).all({ symbol, account, tag });

/** Open expectations of exactly this payment, with a newest block at VERIFIED of these heights. */
export const verifiedWithin = (
  db: Db,
  { symbol, account, tag, amount }: Payment,
  from: number,
  below: number,
): Expectation[] => verifiedWithinQuery(db).all({ symbol, account, tag, amount, from, below });

/** D-36: open expectations whose named transaction may be replaced by the next block, newest first. */
export const replaceableOn = (db: Db, symbol: AssetSymbol, limit: number): Expectation[] =>
  replaceableQuery(db).all({ symbol, limit });

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

/** At most `most` of a VASP. */
export const someOf = (db: Db, vaspId: string, limit: number): Expectation[] =>
  whole(db).where(eq(expectations.vaspId, vaspId)).limit(limit).all();

export const removeAll = (tx: Tx, uuids: readonly string[]) =>
  void tx.orm.delete(expectations).where(inArray(expectations.verificationUuid, uuids)).run();
