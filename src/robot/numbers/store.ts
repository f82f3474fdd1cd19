import { and, eq, gt, lte } from 'drizzle-orm';
import type { OutgoingPayment } from '../../chains/payments.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, findRows, updateRows, upsertRow } from '../../db/prepared-statements.ts';
import { unexplainedPayments, wallets } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Wallet } from '../transfer/store.ts';
import * as transfers from '../transfer/store.ts';

export type WalletRow = typeof wallets.$inferSelect;
export type UnexplainedPayment = typeof unexplainedPayments.$inferSelect;

const NEW = { nextSequence: 0, knownUpTo: 0, seenUpTo: 0, missingUpTo: null, note: '', stoppedAt: null };

export const find = (db: Db, { symbol, account }: Wallet): WalletRow =>
  findRow(db, wallets, { symbol, account }) ?? { symbol, account, ...NEW };

/** `row` as it is stored now. */
export function save(tx: Tx, row: WalletRow, values: Partial<WalletRow>): void {
  upsertRow(tx, wallets, ['symbol', 'account'], { ...row, ...values });
}

/** Transactions with the numbers below `nextSequence` are stored in this change. */
export function take(tx: Tx, wallet: Wallet, nextSequence: number, freeUpTo: number): void {
  const row = find(tx, wallet);
  save(tx, row, { nextSequence, knownUpTo: Math.max(row.knownUpTo, freeUpTo) });
}

/** The numbers from the next one up to `missingUpTo` are not found. */
export const withMissing = (db: Db): WalletRow[] =>
  db.orm.select().from(wallets).where(gt(wallets.missingUpTo, wallets.nextSequence)).all();

/** Wallets that pay nothing since a time of the machine, or longer. */
export const stoppedSince = (db: Db, at: number, limit: number): WalletRow[] =>
  db.orm.select().from(wallets).where(lte(wallets.stoppedAt, at)).limit(limit).all();

/** Oldest first. */
export const held = (db: Db, wallet: Partial<Wallet> = {}): UnexplainedPayment[] =>
  findRows(db, unexplainedPayments, { ...wallet, status: 'HELD' }, 'id');

/** In the order of their numbers. */
export const ofWallet = (db: Db, { symbol, account }: Wallet): UnexplainedPayment[] =>
  findRows(db, unexplainedPayments, { symbol, account }, 'sequence');

export function add(
  tx: Tx,
  { symbol, account }: Wallet,
  { sequence, hash: txHash, to, fee, reference, amount }: OutgoingPayment,
  row: Pick<UnexplainedPayment, 'status' | 'at'>,
): void {
  upsertRow(tx, unexplainedPayments, ['symbol', 'account', 'sequence'], {
    ...row,
    symbol,
    account,
    sequence,
    txHash,
    toAccount: to.account,
    toTag: to.tag ?? null,
    amount: amount.toString(),
    fee,
    reference: reference ?? null,
  });
}

export function accept(tx: Tx, id: number): void {
  updateRows(tx, unexplainedPayments, { id }, { status: 'ACCEPTED' });
}

/** It is the transaction of a transfer from now on. */
export function remove(tx: Tx, id: number): void {
  deleteRows(tx, unexplainedPayments, { id });
}

/** The blocks after this height were replaced: a number may be in another block. */
export function forgetAfter(tx: Tx, symbol: AssetSymbol, height: number): void {
  const isLater = and(eq(wallets.symbol, symbol), gt(wallets.knownUpTo, height));
  tx.orm.update(wallets).set({ knownUpTo: height }).where(isLater).run();
  transfers.forgetAfter(tx, symbol, height);
}

/** The chain has started over: its accounts begin again. */
export function forget(tx: Tx, symbol: AssetSymbol): void {
  deleteRows(tx, wallets, { symbol });
  deleteRows(tx, unexplainedPayments, { symbol });
}

export const paymentOf = (row: UnexplainedPayment): OutgoingPayment => ({
  sequence: row.sequence,
  next: row.sequence + 1,
  hash: row.txHash,
  to: { account: row.toAccount, ...(row.toTag === null ? {} : { tag: row.toTag }) },
  amount: BigInt(row.amount),
  fee: row.fee,
  ...(row.reference === null ? {} : { reference: row.reference }),
});
