import type { OutgoingPayment } from '../../chains/payments.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, findRows, insertRow, updateRows } from '../../db/prepared-statements.ts';
import { restores, unexplainedPayments } from '../../db/schema/restored.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Wallet } from '../transfer/transfer.ts';

export type UnexplainedPayment = typeof unexplainedPayments.$inferSelect;

/** The operator goes on with the held accounts of the chain. Returns the number of their payments. */
export const release = (tx: Tx, symbol: AssetSymbol): number =>
  updateRows(tx, unexplainedPayments, { symbol, isHeld: true }, { isHeld: false });

/** Undefined: this is no restored copy, or the chain has started over since. */
export const find = (db: Db, symbol: AssetSymbol) => findRow(db, restores, { symbol });

export const held = (db: Db, wallet: Partial<Wallet> = {}): UnexplainedPayment[] =>
  findRows(db, unexplainedPayments, { ...wallet, isHeld: true }, 'id');

export const heldOf = (db: Db, { symbol, account }: Wallet): UnexplainedPayment[] =>
  held(db, { symbol, account });

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

export function explained(tx: Tx, id: number): void {
  updateRows(tx, unexplainedPayments, { id }, { isHeld: false });
}

/** The chain has started over: it knows no payment that this database lacks. */
export function forget(tx: Tx, symbol: AssetSymbol): void {
  deleteRows(tx, restores, { symbol });
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
