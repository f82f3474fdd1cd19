import type { EscrowCancel, EscrowFinish } from 'xrpl';
import { type Escrow, escrowKey } from '../entries.ts';
import type { LedgerView } from '../ledger-view.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { isDepositAuthorized } from './deposit-preauth.ts';
import { changeOwnerCount, removeFromOwnerDirectory } from './owned-entries.ts';
import type { ApplyContext, Transactor } from './transactor.ts';

/** Times are seconds since 2000-01-01. They are over when the ledger before was closed later. */

type Finish = EscrowFinish & { OfferSequence: number };
type Cancel = EscrowCancel & { OfferSequence: number };

/** Pays an escrow to its destination. Anybody may send it; with DepositAuth only whom the destination admits. */
export const escrowFinish: Transactor<Finish> = { preflight: preflightFinish, apply: finish };

/** Returns an escrow to its owner. Anybody may send it. */
export const escrowCancel: Transactor<Cancel> = { apply: cancel };

function preflightFinish({ json: { Condition, Fulfillment } }: Transaction<Finish>): Failure {
  return Condition === undefined && Fulfillment === undefined ? undefined : 'temDISABLED';
}

function find({ tx, view }: ApplyContext<Cancel | Finish>): { key: string; escrow: Escrow | undefined } {
  const { Owner, OfferSequence } = tx.json;
  const key = escrowKey(Owner, OfferSequence);
  return { key, escrow: view.read(key) as Escrow | undefined };
}

function finish(context: ApplyContext<Finish>): Failure {
  const { tx, view, parentCloseTime: now } = context;
  const { key, escrow } = find(context);
  if (!escrow) return 'tecNO_TARGET';
  const { FinishAfter, CancelAfter } = escrow;
  if (FinishAfter !== undefined && now <= FinishAfter) return 'tecNO_PERMISSION';
  if (CancelAfter !== undefined && now > CancelAfter) return 'tecNO_PERMISSION';
  const destination = view.account(escrow.Destination);
  if (!destination) return 'tecNO_DST';
  if (!isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
  release(view, key, escrow, escrow.Destination);
}

function cancel(context: ApplyContext<Cancel>): Failure {
  const { view, parentCloseTime: now } = context;
  const { key, escrow } = find(context);
  if (!escrow) return 'tecNO_TARGET';
  if (escrow.CancelAfter === undefined || now <= escrow.CancelAfter) return 'tecNO_PERMISSION';
  release(view, key, escrow, escrow.Account);
}

/** Deletes an escrow and pays its amount. The empty directories of both sides stay. */
function release(view: LedgerView, key: string, escrow: Escrow, payee: string): void {
  const { Account: owner, Destination, OwnerNode, DestinationNode } = escrow;
  removeFromOwnerDirectory(view, owner, OwnerNode, key, 'keep-root');
  if (DestinationNode !== undefined)
    removeFromOwnerDirectory(view, Destination, DestinationNode, key, 'keep-root');
  view.addXrp(view.requireAccount(payee), BigInt(escrow.Amount));
  changeOwnerCount(view, owner, -1);
  view.erase(key);
}
