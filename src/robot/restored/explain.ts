import type { OutgoingPayment } from '../../chains/payments.ts';
import type { Chain } from '../../chains/port.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import * as attempts from '../transfer/attempt-store.ts';
import { transferStatus } from '../transfer/machine.ts';
import { unitsOf } from '../transfer/send.ts';
import * as transfers from '../transfer/store.ts';
import type { OpenWallet, Transfer } from '../transfer/transfer.ts';
import * as restored from './store.ts';
import { paymentOf } from './store.ts';

type Deps = Pick<OpenWallet['deps'], 'clock' | 'log'>;

const MOST_WAITING = 10_000;

/**
 * The chain may know transactions of an account that the database does not: a copy is older than the chain, also one that
 * nobody has marked as restored, or another program pays from the account. Adopts those that pay a waiting transfer. The
 * others hold the account: the VASP may order again what they have paid. Returns why nothing may be paid now.
 */
export async function explainOutgoing(wallet: OpenWallet): Promise<string | undefined> {
  const { deps, chain } = wallet;
  adoptHeld(wallet);
  const [held] = restored.heldOf(deps.db, wallet);
  if (held) return `UNEXPLAINED-PAYMENT: ${held.txHash}`;
  const first = transfers.nextSequence(deps.db, wallet);
  const next = await chain.nextSequence(wallet.account);
  if (next <= first) return undefined;
  if ((await chain.finalizedSequence(wallet.account)) < next)
    return `transaction ${next - 1} of the account is not final`;
  const copy = restored.find(deps.db, wallet.symbol);
  const payments = await chain.outgoing(wallet.account, first, copy?.height ?? undefined);
  return write(deps.db, tx => {
    const unexplained = payments.filter(
      payment => !isEmpty(wallet, payment) && !adoptAny(wallet, tx, payment),
    );
    transfers.saveNextSequence(tx, wallet, next);
    for (const payment of unexplained) hold(wallet, tx, payment);
    const [unpaid] = restored.heldOf(tx, wallet);
    return unpaid && `UNEXPLAINED-PAYMENT: ${unpaid.txHash}`;
  });
}

/** It pays nobody: it filled a gap. */
const isEmpty = ({ account }: OpenWallet, { to, amount }: OutgoingPayment): boolean =>
  amount === 0n && to.account === account;

/** A VASP has ordered a transfer again that the copy did not know. */
function adoptHeld(wallet: OpenWallet): void {
  const { deps } = wallet;
  const held = restored.heldOf(deps.db, wallet);
  if (held.length === 0) return;
  write(deps.db, tx => {
    for (const row of held) if (adoptAny(wallet, tx, paymentOf(row))) restored.explained(tx, row.id);
  });
}

/** True: it pays a transfer that has no transaction yet, and is its transaction from now on. */
function adoptAny(wallet: OpenWallet, tx: Tx, payment: OutgoingPayment): boolean {
  const { deps, chain } = wallet;
  const transfer = transfers.unsigned(tx, wallet, MOST_WAITING).find(each => isPaidBy(chain, each, payment));
  if (transfer) adopt(deps, tx, transfer, payment);
  return transfer !== undefined;
}

/** The final payment becomes the newest transaction of the transfer. */
export function adopt(deps: Deps, tx: Tx, transfer: Transfer, payment: OutgoingPayment): void {
  const { sequence, fee, hash } = payment;
  const at = deps.clock.machineNow();
  attempts.add(tx, transfer, sequence, fee, { hash, bytes: '' }, at);
  recordEvent(tx, transferStatus, transfer, 'adopted', {
    at: deps.clock.now(transfer.vaspId),
    cause: `${hash} was sent before, and this database did not know it`,
    detail: { txHash: hash, sequence },
  });
  deps.log.warn(
    { uuid: transfer.verificationUuid, hash },
    'a payment that the database did not know is adopted',
  );
}

export const isPaidBy = (chain: Chain, transfer: Transfer, payment: OutgoingPayment): boolean =>
  transfer.toAccount === payment.to.account &&
  transfer.toTag === (payment.to.tag ?? null) &&
  unitsOf(transfer) === payment.amount &&
  chain.isFor(payment, transfer.verificationUuid);

function hold(wallet: OpenWallet, tx: Tx, payment: OutgoingPayment): void {
  const { deps, symbol, account } = wallet;
  deps.log.warn({ symbol, account, hash: payment.hash }, 'no transfer explains a payment of this account');
  restored.add(tx, wallet, payment, deps.clock.machineNow());
}
