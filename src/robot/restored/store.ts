import { and, asc, eq } from 'drizzle-orm';
import type { OutgoingPayment } from '../../chains/outgoing-payment.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { restores, unexplainedPayments } from '../../db/schema/restored.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Wallet } from '../transfer/transfer.ts';

export type UnexplainedPayment = typeof unexplainedPayments.$inferSelect;

const heldQuery = preparedQuery(db =>
  db.orm
    .select()
    .from(unexplainedPayments)
    .where(eq(unexplainedPayments.isHeld, true))
    .orderBy(asc(unexplainedPayments.id)),
);

/** The operator goes on with the held accounts of the chain. Returns the number of their payments. */
export const release = (tx: Tx, symbol: AssetSymbol): number =>
  tx.orm
    .update(unexplainedPayments)
    .set({ isHeld: false })
    .where(and(eq(unexplainedPayments.symbol, symbol), eq(unexplainedPayments.isHeld, true)))
    .run().changes;

/** Undefined: this is no restored copy, or the chain has started over since. */
export const find = (db: Db, symbol: AssetSymbol) =>
  db.orm.select().from(restores).where(eq(restores.symbol, symbol)).get();

export const held = (db: Db): UnexplainedPayment[] => heldQuery(db).all();

export const heldOf = (db: Db, { symbol, account }: Wallet): UnexplainedPayment[] =>
  heldQuery(db)
    .all()
    .filter(row => row.symbol === symbol && row.account === account);

export function add(tx: Tx, wallet: Wallet, payment: OutgoingPayment, at: number): void {
  const { sequence, hash: txHash, to, fee, reference } = payment;
  insertRow(tx, unexplainedPayments, {
    ...wallet,
    sequence,
    txHash,
    toAccount: to.account,
    toTag: to.tag ?? null,
    amount: payment.amount.toString(),
    fee,
    reference: reference ?? null,
    at,
    isHeld: true,
  });
}

/** A transfer explains it now. */
export function explained(tx: Tx, id: number): void {
  updateRows(tx, unexplainedPayments, { id }, { isHeld: false });
}

/** The chain has started over: it knows no payment that this database lacks. */
export function forget(tx: Tx, symbol: AssetSymbol): void {
  tx.orm.delete(restores).where(eq(restores.symbol, symbol)).run();
  release(tx, symbol);
}

export const paymentOf = (row: UnexplainedPayment): OutgoingPayment => ({
  sequence: row.sequence,
  hash: row.txHash,
  to: { account: row.toAccount, ...(row.toTag === null ? {} : { tag: row.toTag }) },
  amount: BigInt(row.amount),
  fee: row.fee,
  ...(row.reference === null ? {} : { reference: row.reference }),
});
