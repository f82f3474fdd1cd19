import type { EscrowCancel, EscrowCreate, EscrowFinish } from 'xrpl';
import { accountReserve, type Escrow, escrowKey, type LedgerView } from '../entries.ts';
import { isXrp } from '../quantities.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../signature.ts';
import { isDepositAuthorized } from './account.ts';
import { addToOwnerDirectory, changeOwnerCount, removeFromOwnerDirectory } from './directory.ts';
import { type ApplyContext, lacksTag, sourceAccount, type Transactor } from './transactor.ts';

/** `Amount` in drops. */
type Create = EscrowCreate & { Amount: string };

/** Locks XRP for a destination until a time. Tokens are answered with temBAD_AMOUNT, conditions with temDISABLED. */
export const escrowCreate: Transactor<Create> = { preflight, preclaim, apply };

function preflight({ json }: Transaction<Create>): Failure {
  const { Amount, CancelAfter, FinishAfter, Condition } = json;
  if (!isXrp(Amount) || BigInt(Amount) <= 0n) return 'temBAD_AMOUNT';
  if (CancelAfter === undefined && FinishAfter === undefined) return 'temBAD_EXPIRATION';
  if (CancelAfter !== undefined && FinishAfter !== undefined && CancelAfter <= FinishAfter) return 'temBAD_EXPIRATION';
  if (Condition !== undefined) return 'temDISABLED';
  return FinishAfter === undefined ? 'temMALFORMED' : undefined;
}

function preclaim({ tx, view }: ApplyContext<Create>): Failure {
  return view.account(tx.json.Destination) ? undefined : 'tecNO_DST';
}

function apply(context: ApplyContext<Create>): Failure {
  const { tx, view, fees, parentCloseTime } = context;
  const { Destination, Amount, CancelAfter, FinishAfter } = tx.json;
  if ([CancelAfter, FinishAfter].some(time => time !== undefined && parentCloseTime > time)) return 'tecNO_PERMISSION';
  const source = sourceAccount(context);
  const balance = BigInt(source.Balance);
  const reserve = accountReserve(fees, source.OwnerCount + 1);
  if (balance < reserve) return 'tecINSUFFICIENT_RESERVE';
  if (balance < reserve + BigInt(Amount)) return 'tecUNFUNDED';
  if (lacksTag(tx, view.requireAccount(Destination))) return 'tecDST_TAG_NEEDED';
  view.addXrp(source, -BigInt(Amount));
  place(context);
}

/** It stands in the directories of both sides, and counts for the reserve of its owner. */
function place({ tx, view }: ApplyContext<Create>): void {
  const { Destination } = tx.json;
  const key = escrowKey(tx.account, tx.ticket ?? tx.sequence);
  const OwnerNode = addToOwnerDirectory(view, tx.account, key);
  const destination =
    Destination === tx.account ? {} : { DestinationNode: addToOwnerDirectory(view, Destination, key) };
  changeOwnerCount(view, tx.account, 1);
  view.write(key, {
    LedgerEntryType: 'Escrow',
    Flags: 0,
    Account: tx.account,
    ...stated(tx),
    OwnerNode,
    ...destination,
  });
}

const KEPT = ['Amount', 'CancelAfter', 'Destination', 'DestinationTag', 'FinishAfter', 'SourceTag'] as const;

const stated = ({ json }: Transaction<Create>) =>
  Object.fromEntries(KEPT.filter(name => json[name] !== undefined).map(name => [name, json[name]]));

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
  if (DestinationNode !== undefined) removeFromOwnerDirectory(view, Destination, DestinationNode, key, 'keep-root');
  view.addXrp(view.requireAccount(payee), BigInt(escrow.Amount));
  changeOwnerCount(view, owner, -1);
  view.erase(key);
}
