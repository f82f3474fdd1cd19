import { type AssetSymbol, addressText, toCoins } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import type { Tx } from '../../db/transaction.ts';
import * as numbers from './store.ts';

/** What holds an account: a payment that no transfer explains, or numbers that are not found. */
export interface HeldPayment {
  /** By which the operator accepts it: the hash, or `<account>/<first number>-<last number>`. */
  name: string;
  symbol: AssetSymbol;
  account: string;
  sequence: number;
  /** Null: the payments with these numbers were not found. */
  paid: { to: string; amount: string; reference: string | null } | null;
}

export const listHeld = (db: Db, symbol?: AssetSymbol): HeldPayment[] =>
  [...numbers.held(db).map(paidBy), ...numbers.withMissing(db).map(missingOf)].filter(
    each => symbol === undefined || each.symbol === symbol,
  );

const paidBy = (row: numbers.UnexplainedPayment): HeldPayment => {
  const { symbol, account, sequence, txHash: name, reference } = row;
  const to = addressText(row.toAccount, row.toTag);
  return { name, symbol, account, sequence, paid: { to, amount: toCoins(symbol, BigInt(row.amount)), reference } };
};

const missingOf = ({ symbol, account, nextSequence, missingUpTo }: numbers.WalletRow): HeldPayment => ({
  name: `${account}/${nextSequence}-${missingUpTo! - 1}`,
  symbol,
  account,
  sequence: nextSequence,
  paid: null,
});

/**
 * D-47: an accepted payment holds its account no more, and a transfer that it has paid still finds it. Numbers that were
 * not found are let go. Returns the names that hold nothing on this chain; then nothing has changed.
 */
export function acceptPayments(tx: Tx, symbol: AssetSymbol, names: readonly string[]): string[] {
  const held = new Set(listHeld(tx, symbol).map(({ name }) => name));
  const unknown = names.filter(name => !held.has(name));
  if (unknown.length > 0) return unknown;
  for (const row of numbers.held(tx, { symbol })) if (names.includes(row.txHash)) numbers.accept(tx, row.id);
  for (const row of numbers.withMissing(tx))
    if (row.symbol === symbol && names.includes(missingOf(row).name))
      numbers.save(tx, row, { nextSequence: row.missingUpTo! });
  return [];
}
