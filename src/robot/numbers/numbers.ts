import type { Numbers, Outgoing, OutgoingPayment } from '../../chains/payments.ts';
import { type Chain, ChainUnreachable } from '../../chains/port.ts';
import { type AssetSymbol, addressText, toCoins } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import * as readBlocks from '../deposit/read-block-store.ts';
import { beginOwn, cancelTransfer, lookUp, moveTransfer, reopen } from '../transfer/lifecycle.ts';
import { transferStatus } from '../transfer/machine.ts';
import { broadcast, storeSigned, unitsOf } from '../transfer/send.ts';
import * as transfers from '../transfer/store.ts';
import { type LivingAttempt, NOBODY, type OpenWallet, type Transfer, type Wallet } from '../transfer/store.ts';
import * as numbers from './store.ts';

const MAX_WAITING = 10_000;
/** Parts of the chain that one run of the wallet reads. */
const MAX_PARTS = 8;

/**
 * D-47: finds the payments with the numbers from the wallet's next one on, one after the other. Each becomes the transaction
 * of the transfer that it pays, or holds the account: its VASP may order again what it has paid. Throws `WalletHeld` until
 * all that the chain has ever shown are found. Returns the wallet as it is then.
 */
async function explain(
  wallet: OpenWallet,
  row: numbers.WalletRow,
  { next, finalized, height }: Numbers,
): Promise<numbers.WalletRow> {
  const { deps, chain, account } = wallet;
  const seenUpTo = Math.max(next, row.seenUpTo);
  write(deps.db, tx => numbers.save(tx, row, { seenUpTo }));
  let gapUpTo: number | undefined;
  for (let part = 0; part < MAX_PARTS; part++) {
    const { nextSequence, knownUpTo } = numbers.find(deps.db, wallet);
    if (nextSequence >= finalized) break;
    const found = await chain.outgoing(account, nextSequence, knownUpTo);
    gapUpTo = write(deps.db, tx => keepFound(wallet, tx, found));
    if (gapUpTo !== undefined || found.upTo >= height) break;
  }
  const found = numbers.find(deps.db, wallet);
  const { nextSequence, knownUpTo } = found;
  if (nextSequence >= seenUpTo) return found;
  const isWaiting = nextSequence >= finalized && nextSequence < next;
  const missingUpTo = nextSequence < finalized ? (gapUpTo ?? finalized) : seenUpTo;
  write(deps.db, tx => numbers.save(tx, found, { missingUpTo: isWaiting ? null : missingUpTo }));
  if (isWaiting) throw new WalletHeld(`transaction ${next - 1} of the account is not final`);
  throw new WalletHeld(
    `MISSING-PAYMENTS: the chain has shown the numbers ${nextSequence} to ${missingUpTo - 1} of the account, and no final block up to ${Math.min(knownUpTo, height)} has them`,
  );
}

/** Undefined: the numbers are whole. Otherwise the number of the first payment behind a gap. */
function keepFound(wallet: OpenWallet, tx: Tx, { payments, upTo, begins = 0 }: Outgoing): number | undefined {
  const at = wallet.deps.clock.machineNow();
  const row = numbers.find(tx, wallet);
  const { knownUpTo } = row;
  let next = Math.max(row.nextSequence, begins);
  for (const payment of payments) {
    if (payment.sequence > next) break;
    if (!isEmpty(wallet, payment)) keep(wallet, tx, payment, { status: 'HELD', at });
    next = payment.next;
  }
  const left = payments.find(({ sequence }) => sequence >= next);
  numbers.save(tx, row, { nextSequence: next, knownUpTo: left ? knownUpTo : Math.max(knownUpTo, upTo) });
  return left?.sequence;
}

/** It pays nobody: it filled a gap. */
const isEmpty = ({ account }: OpenWallet, { to, amount }: OutgoingPayment): boolean =>
  amount === 0n && (to.account === account || to.account === '');

/** A payment that the database did not know becomes the transaction of the transfer that it pays, or is kept as it is. */
export function keep(
  wallet: OpenWallet,
  tx: Tx,
  payment: OutgoingPayment,
  row: Pick<numbers.UnexplainedPayment, 'status' | 'at'>,
): void {
  if (adoptAny(wallet, tx, transfers.unsigned(tx, { ...wallet, limit: MAX_WAITING }), payment, row.at)) return;
  const { deps, symbol, account } = wallet;
  deps.log.warn({ symbol, account, hash: payment.hash }, 'no transfer explains a payment of this account');
  numbers.add(tx, wallet, payment, row);
}

/** A VASP has ordered a transfer again that the copy did not know: also after the operator has gone on. */
function claimKept(wallet: OpenWallet): void {
  const { deps } = wallet;
  const kept = numbers.ofWallet(deps.db, wallet);
  if (kept.length === 0) return;
  write(deps.db, tx => {
    const waiting = new Set(transfers.unsigned(tx, { ...wallet, limit: MAX_WAITING }));
    for (const row of kept) {
      const transfer = adoptAny(wallet, tx, waiting, numbers.paymentOf(row), row.at);
      if (!transfer) continue;
      waiting.delete(transfer);
      numbers.remove(tx, row.id);
    }
  });
}

/** The waiting transfer that it pays: it is its transaction from now on. */
function adoptAny(
  wallet: OpenWallet,
  tx: Tx,
  waiting: Iterable<Transfer>,
  payment: OutgoingPayment,
  at: number,
): Transfer | undefined {
  const transfer = [...waiting].find(each => isPaidBy(wallet, each, payment, at));
  if (transfer) adopt(wallet.deps, tx, transfer, payment);
  return transfer;
}

/** The final payment becomes the newest transaction of the transfer. */
export function adopt(
  deps: OpenWallet['deps'],
  tx: Tx,
  transfer: Transfer,
  { sequence, fee, hash }: OutgoingPayment,
): void {
  transfers.addAttempt(tx, transfer, { sequence, fee, signed: { hash, bytes: '' } }, deps.clock.machineNow());
  recordEvent(tx, transferStatus, transfer, 'adopted', {
    at: deps.clock.now(transfer.vaspId),
    cause: `${hash} was sent before, and this database did not know it`,
    detail: { txHash: hash, sequence },
  });
  deps.log.warn({ uuid: transfer.verificationUuid, hash }, 'a payment that the database did not know is adopted');
}

/**
 * On the XRP Ledger the InvoiceID names the transfer. On Ethereum recipient and amount do, where the transfer was asked for
 * before the payment was noticed at `at`.
 */
export const isPaidBy = (
  { deps, chain }: Pick<OpenWallet, 'deps' | 'chain'>,
  transfer: Transfer,
  payment: OutgoingPayment,
  at: number,
): boolean =>
  transfer.toAccount === payment.to.account &&
  transfer.toTag === (payment.to.tag ?? null) &&
  unitsOf(transfer) === payment.amount &&
  (payment.reference === undefined ? askedAt(deps, transfer) <= at : chain.isFor(payment, transfer.verificationUuid));

/** On the machine's clock; a little earlier where the VASP's clock was moved since. */
function askedAt(deps: OpenWallet['deps'], { verificationUuid, vaspId, createdAt }: Transfer): number {
  const verification = vaspId === NOBODY ? undefined : lookUp(deps, verificationUuid);
  return (verification ? Date.parse(verification.createdAt) : createdAt) - deps.clock.aheadOf(vaspId);
}

/**
 * The final transaction that has used a number of ours, whoever has signed it. Undefined: it was not found yet, or one of
 * ours has it. One run reads a part of the chain, and the next one goes on behind it.
 */
export async function foreignUse(
  { deps, chain, account }: OpenWallet,
  tried: readonly transfers.Attempt[],
): Promise<OutgoingPayment | undefined> {
  const [first] = tried as [transfers.Attempt];
  const after = first.signedAfter ?? 0;
  const { sequence } = tried.at(-1)!;
  const { payments, upTo } = await chain.outgoing(account, sequence, after);
  const use = payments.find(each => each.sequence <= sequence && sequence < each.next);
  if (!use && upTo > after && first.lastLedgerSequence === null)
    write(deps.db, tx => transfers.saveSearched(tx, first, upTo));
  return use && tried.every(({ hash }) => hash !== use.hash) ? use : undefined;
}

/** D-47: the chain has used numbers of the account that the database does not know. Nothing is signed. */
export class WalletHeld extends Error {
  override readonly name = 'WalletHeld';
}

const BATCH_SIZE = 32;

const PAID_AFTER_ALL = 'a reorganisation removed the block in which it failed, and in another one it paid';

/**
 * SEND-3: a sequence without a transaction that may still get into a block stops the wallet for ever. Its transaction was
 * refused, was deleted, or failed in a block that a reorganisation removed. An empty transaction to the wallet itself takes the
 * sequence: it pays nobody, and then no former transaction with this sequence can pay any more. A transaction that was
 * CONFIRMED is broadcast again: a chain that mines only what it is sent makes no block before.
 */
async function fillGaps(wallet: OpenWallet, first: number, next: number): Promise<void> {
  const { deps, chain } = wallet;
  const { walletIndex } =
    transfers.underWay(deps.db, wallet)[0] ?? transfers.unsigned(deps.db, { ...wallet, limit: 1 })[0] ?? {};
  if (walletIndex === undefined) return;
  const living = transfers.livingAttempts(deps.db, wallet, first);
  // On the XRP Ledger no reorganisation removes a transaction.
  const removed = chain.symbol === 'ETH' ? await removedOf(chain, living) : [];
  reopen(deps, removed);
  const usedSequences = new Set(living.map(({ sequence }) => sequence));
  const gaps = Array.from({ length: next - first }, (_, i) => first + i).filter(each => !usedSequences.has(each));
  const fillers: Transfer[] = [];
  for (const sequence of gaps.slice(0, BATCH_SIZE)) fillers.push(await fill(wallet, walletIndex, sequence));
  const unsent = [...removed, ...fillers];
  if (unsent.length > 0) await broadcast(wallet, unsent);
}

async function removedOf(chain: Chain, living: readonly LivingAttempt[]): Promise<Transfer[]> {
  const confirmed = living
    .filter(({ hash, transfer }) => transfer.status === 'CONFIRMED' && transfer.txHash === hash)
    .slice(0, BATCH_SIZE);
  const states = await Promise.all(confirmed.map(({ hash }) => chain.stateOf(hash)));
  return confirmed.filter((_, i) => !('blockHash' in states[i]!)).map(({ transfer }) => transfer);
}

/** The fee is above that of the former transaction, which nodes may still have. */
async function fill(wallet: OpenWallet, walletIndex: number, sequence: number): Promise<Transfer> {
  const { deps, chain, symbol, account } = wallet;
  const former = transfers.attemptsAt(deps.db, wallet, sequence);
  const fee = await chain.quoteFee({ from: account, to: account, amount: 0n }, former.at(-1)?.fee);
  const to = { account };
  const signed = await chain.sign({ from: walletIndex, to, amount: 0n, sequence, fee, reference: 'filler' });
  return storeSigned(wallet, tx => {
    const filler = { kind: 'filler', symbol, account, walletIndex, toAccount: account, amount: '0' } as const;
    const row = beginOwn(deps, tx, filler, `takes the sequence ${sequence}, which no transaction has`);
    transfers.addAttempt(tx, row, { sequence, fee, signed }, row.createdAt);
    return row;
  });
}

/** Another transaction has taken the number of a filler. Nothing is left to fill. */
export async function endFiller(wallet: OpenWallet, filler: Transfer, used: OutgoingPayment): Promise<void> {
  const { deps } = wallet;
  await notePaidAfterAll(wallet, used.sequence);
  write(deps.db, tx => {
    const isOurs = transfers.attemptsAt(tx, wallet, used.sequence).some(({ hash }) => hash === used.hash);
    if (!isOurs) keep(wallet, tx, used, { status: 'ACCEPTED', at: deps.clock.machineNow() });
    cancelTransfer(deps, tx, filler, 'another transaction has taken the number');
  });
}

/** A canceled transfer may succeed in the block that replaces the one in which it failed. Then it has paid. */
export async function notePaidAfterAll(wallet: OpenWallet, sequence: number): Promise<void> {
  const { deps, chain } = wallet;
  for (const { verificationUuid, hash } of transfers.attemptsAt(deps.db, wallet, sequence)) {
    const state = await chain.stateOf(hash);
    if (state.status !== 'final' || !state.succeeded) continue;
    const { height, blockHash } = state;
    if (!readBlocks.isRead(deps.db, wallet.symbol, { height, hash: blockHash }))
      throw new ChainUnreachable(`block ${height} is not read yet`);
    write(deps.db, tx => {
      const transfer = transfers.find(tx, verificationUuid);
      if (transfer?.status !== 'CANCELED') return;
      moveTransfer(deps, tx, transfer, 'paid-after-all', {
        patch: { txHash: hash, note: PAID_AFTER_ALL },
        cause: PAID_AFTER_ALL,
        detail: { txHash: hash, height, blockHash },
      });
    });
  }
}

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
