import { type AssetSymbol, addressText, toCoins } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { type Tx, write } from '../../db/transaction.ts';
import * as transfers from '../transfer/store.ts';
import type { OpenWallet, Wallet } from '../transfer/transfer.ts';
import { claimKept, explain, WalletHeld } from './explain.ts';
import { fillGaps } from './fill.ts';
import * as numbers from './store.ts';

/**
 * The numbers of a wallet: nonces on Ethereum, Sequences on the XRP Ledger. On both ledgers a number is used once, and in
 * order, so this has to hold: every number below the wallet's next one has a transaction of ours that may still get
 * into a block, or that did, or an empty one that fills it, or a payment that the chain has shown and that is kept here.
 *
 * The next number only grows. It grows when transactions are stored (`take`), and by what the chain shows (`explain`). So
 * a database that was put back is noticed by its content: the chain has used a number that it does not know. Nothing is
 * signed then until exactly the missing payments were found, or the operator has named what is let go (D-47).
 */

/** SEND-3: fills the numbers below the wallet's next one that no transaction has. */
export async function keepWhole(wallet: OpenWallet): Promise<void> {
  const { next } = await wallet.chain.numbers(wallet.account);
  const { nextSequence } = numbers.find(wallet.deps.db, wallet);
  if (next < nextSequence) await fillGaps(wallet, next, nextSequence);
}

/** The number to sign with, and the block up to which it is known to be free. Throws `WalletHeld`. */
export async function nextNumber(wallet: OpenWallet): Promise<{ sequence: number; freeUpTo: number }> {
  const { deps } = wallet;
  claimKept(wallet);
  const seen = await wallet.chain.numbers(wallet.account);
  let row = numbers.find(deps.db, wallet);
  if (Math.max(seen.next, row.seenUpTo) > row.nextSequence) row = await explain(wallet, row, seen);
  waitForVanished(wallet, row, seen.finalized);
  const [held] = numbers.held(deps.db, idOf(wallet));
  if (held)
    throw new WalletHeld(`UNEXPLAINED-PAYMENT: the account has paid by ${held.txHash}, and no transfer explains it`);
  const { nextSequence: sequence } = row;
  return { sequence, freeUpTo: seen.finalized <= sequence ? seen.height : 0 };
}

/**
 * The operator has let go of numbers that the chain has shown and that have vanished. Their transactions may come again until
 * an empty one has taken the number for good, and only then it is known whom they have paid.
 */
function waitForVanished(wallet: OpenWallet, { seenUpTo }: numbers.WalletRow, finalized: number): void {
  const isFilling = () => transfers.underWay(wallet.deps.db, wallet).some(({ kind }) => kind === 'filler');
  if (seenUpTo > 0 && (finalized < seenUpTo || isFilling()))
    throw new WalletHeld(`not all numbers below ${seenUpTo} of the account are final`);
}

/** For people: why the wallet pays nothing now. Undefined: it pays. */
export function noteStop({ deps, ...wallet }: Wallet & Pick<OpenWallet, 'deps'>, why: string | undefined): void {
  const row = numbers.find(deps.db, wallet);
  if (row.note === (why ?? '')) return;
  const stoppedAt = why === undefined ? null : (row.stoppedAt ?? deps.clock.machineNow());
  write(deps.db, tx => numbers.save(tx, row, { note: why ?? '', stoppedAt }));
}

const idOf = ({ symbol, account }: Wallet): Wallet => ({ symbol, account });

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
