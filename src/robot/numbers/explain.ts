import type { Numbers, Outgoing, OutgoingPayment } from '../../chains/payments.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import * as attempts from '../transfer/attempt-store.ts';
import { lookUp } from '../transfer/lifecycle.ts';
import { transferStatus } from '../transfer/machine.ts';
import { unitsOf } from '../transfer/send.ts';
import * as transfers from '../transfer/store.ts';
import { NOBODY, type OpenWallet, type Transfer } from '../transfer/transfer.ts';
import * as numbers from './store.ts';

const MAX_WAITING = 10_000;
/** Parts of the chain that one run of the wallet reads. */
const MAX_PARTS = 8;

/**
 * D-47: finds the payments with the numbers from the wallet's next one on, one after the other. Each becomes the transaction
 * of the transfer that it pays, or holds the account: its VASP may order again what it has paid. Throws `WalletHeld` until
 * all that the chain has ever shown are found. Returns the wallet as it is then.
 */
export async function explain(
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
  if (adoptAny(wallet, tx, transfers.unsigned(tx, wallet, MAX_WAITING), payment, row.at)) return;
  const { deps, symbol, account } = wallet;
  deps.log.warn({ symbol, account, hash: payment.hash }, 'no transfer explains a payment of this account');
  numbers.add(tx, wallet, payment, row);
}

/** A VASP has ordered a transfer again that the copy did not know: also after the operator has gone on. */
export function claimKept(wallet: OpenWallet): void {
  const { deps } = wallet;
  const kept = numbers.ofWallet(deps.db, wallet);
  if (kept.length === 0) return;
  write(deps.db, tx => {
    const waiting = new Set(transfers.unsigned(tx, wallet, MAX_WAITING));
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
  attempts.add(tx, transfer, { sequence, fee, signed: { hash, bytes: '' } }, deps.clock.machineNow());
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
  tried: readonly attempts.Attempt[],
): Promise<OutgoingPayment | undefined> {
  const [first] = tried as [attempts.Attempt];
  const after = first.signedAfter ?? 0;
  const { sequence } = tried.at(-1)!;
  const { payments, upTo } = await chain.outgoing(account, sequence, after);
  const use = payments.find(each => each.sequence <= sequence && sequence < each.next);
  if (!use && upTo > after && first.lastLedgerSequence === null)
    write(deps.db, tx => attempts.saveSearched(tx, first, upTo));
  return use && tried.every(({ hash }) => hash !== use.hash) ? use : undefined;
}

/** D-47: the chain has used numbers of the account that the database does not know. Nothing is signed. */
export class WalletHeld extends Error {
  override readonly name = 'WalletHeld';
}
