import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows } from '../../db/prepared-statements.ts';
import { expectations } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type Expectation = typeof expectations.$inferSelect;
export type ExpectationStore = ReturnType<typeof expectationStore>;

/** Where and how much: what a transfer on chain and a verification have in common. */
export interface Payment {
  symbol: string;
  account: string;
  tag: number | null;
  amount: string;
}

/** The SQL of expectations. */
export function expectationStore(db: Db) {
  const p = sql.placeholder;
  const byUuid = db.orm
    .select()
    .from(expectations)
    .where(eq(expectations.verificationUuid, p('uuid')))
    .prepare();
  const paysTo = ({ symbol, account, tag }: Omit<Payment, 'amount'>) =>
    and(
      eq(expectations.symbol, symbol),
      eq(expectations.account, account),
      tag === null ? isNull(expectations.tag) : eq(expectations.tag, tag),
      eq(expectations.status, 'OPEN'),
    );
  return {
    find: (uuid: string): Expectation | undefined => byUuid.get({ uuid }),
    insert(tx: Tx, row: typeof expectations.$inferInsert): Expectation {
      insertRow(tx, expectations, row);
      return byUuid.get({ uuid: row.verificationUuid })!;
    },
    patch(
      tx: Tx,
      verificationUuid: string,
      values: Partial<Omit<Expectation, 'status' | 'verificationUuid'>>,
    ) {
      updateRows(tx, expectations, { verificationUuid }, values);
    },
    /** Open ones whose originating VASP has named this hash. */
    ofTxHash: (symbol: AssetSymbol | string, txHash: string): Expectation[] =>
      db.orm
        .select()
        .from(expectations)
        .where(
          and(
            eq(expectations.symbol, symbol),
            eq(sql`lower(${expectations.txHash})`, txHash.toLowerCase()),
            eq(expectations.status, 'OPEN'),
          ),
        )
        .all(),
    /** Open ones for exactly this payment that no other hash is named for, and that were not given up. REF-4.5.3 */
    candidatesOf: (payment: Payment): Expectation[] =>
      db.orm
        .select()
        .from(expectations)
        .where(
          and(
            paysTo(payment),
            eq(expectations.amount, payment.amount),
            isNull(expectations.txHash),
            or(isNull(expectations.lastInquiry), ne(expectations.lastInquiry, 'CANCELED')),
          ),
        )
        .orderBy(expectations.createdAt)
        .all(),
    /** Open ones at this place, whatever the amount. */
    openAt: (place: Omit<Payment, 'amount'>): Expectation[] =>
      db.orm.select().from(expectations).where(paysTo(place)).all(),
    openOf: (vaspId: string): Expectation[] =>
      db.orm
        .select()
        .from(expectations)
        .where(and(eq(expectations.vaspId, vaspId), eq(expectations.status, 'OPEN')))
        .all(),
    removeOf: (tx: Tx, vaspId: string) =>
      void tx.orm.delete(expectations).where(eq(expectations.vaspId, vaspId)).run(),
  };
}
