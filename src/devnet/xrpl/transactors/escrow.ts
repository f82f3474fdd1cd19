import type { EscrowCancel, EscrowCreate, EscrowFinish } from 'xrpl';
import { accountReserve, type Escrow, escrowKey, type LedgerView } from '../entries.ts';
import { isXrp } from '../quantities.ts';
import { isDepositAuthorized } from './account.ts';
import { addOwned, addToOwnerDirectory, changeOwnerCount, removeFromOwnerDirectory } from './directory.ts';
import { type ApplyContext, lacksTag, sourceAccount, type Transactor } from './transactor.ts';

const KEPT = ['Amount', 'CancelAfter', 'Destination', 'DestinationTag', 'FinishAfter', 'SourceTag'] as const;

/** Locks XRP for a destination until a time. Tokens are answered with temBAD_AMOUNT, conditions with temDISABLED. */
export const escrowCreate: Transactor<EscrowCreate & { Amount: string }> = {
  preflight({ json }) {
    const { Amount, CancelAfter, FinishAfter, Condition } = json;
    if (!isXrp(Amount) || BigInt(Amount) <= 0n) return 'temBAD_AMOUNT';
    if (CancelAfter === undefined && FinishAfter === undefined) return 'temBAD_EXPIRATION';
    if (CancelAfter !== undefined && FinishAfter !== undefined && CancelAfter <= FinishAfter)
      return 'temBAD_EXPIRATION';
    if (Condition !== undefined) return 'temDISABLED';
    return FinishAfter === undefined ? 'temMALFORMED' : undefined;
  },
  preclaim: ({ tx, view }) => (view.account(tx.json.Destination) ? undefined : 'tecNO_DST'),
  apply(context) {
    const { tx, view, fees, parentCloseTime } = context;
    const { account: Account, json } = tx;
    const { Destination, Amount, CancelAfter, FinishAfter } = json;
    if ([CancelAfter, FinishAfter].some(time => time !== undefined && parentCloseTime > time))
      return 'tecNO_PERMISSION';
    const source = sourceAccount(context);
    const balance = BigInt(source.Balance);
    const reserve = accountReserve(fees, source.OwnerCount + 1);
    if (balance < reserve) return 'tecINSUFFICIENT_RESERVE';
    if (balance < reserve + BigInt(Amount)) return 'tecUNFUNDED';
    if (lacksTag(tx, view.requireAccount(Destination))) return 'tecDST_TAG_NEEDED';
    view.addXrp(source, -BigInt(Amount));
    const stated = KEPT.filter(name => json[name] !== undefined).map(name => [name, json[name]]);
    const key = escrowKey(Account, tx.ticket ?? tx.sequence);
    // It stands in the directories of both sides, and counts for the reserve of its owner.
    addOwned(view, Account, key, {
      LedgerEntryType: 'Escrow',
      Flags: 0,
      Account,
      ...Object.fromEntries(stated),
      ...(Destination === Account ? {} : { DestinationNode: addToOwnerDirectory(view, Destination, key) }),
    });
  },
};

/** Times are seconds since 2000-01-01. They are over when the ledger before was closed later. */

type Finish = EscrowFinish & { OfferSequence: number };
type Cancel = EscrowCancel & { OfferSequence: number };

/** Pays an escrow to its destination. Anybody may send it; with DepositAuth only whom the destination admits. */
export const escrowFinish: Transactor<Finish> = {
  preflight: ({ json: { Condition, Fulfillment } }) =>
    Condition === undefined && Fulfillment === undefined ? undefined : 'temDISABLED',
  apply(context) {
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
  },
};

/** Returns an escrow to its owner. Anybody may send it. */
export const escrowCancel: Transactor<Cancel> = {
  apply(context) {
    const { view, parentCloseTime: now } = context;
    const { key, escrow } = find(context);
    if (!escrow) return 'tecNO_TARGET';
    if (escrow.CancelAfter === undefined || now <= escrow.CancelAfter) return 'tecNO_PERMISSION';
    release(view, key, escrow, escrow.Account);
  },
};

function find({ tx, view }: ApplyContext<Cancel | Finish>): { key: string; escrow: Escrow | undefined } {
  const { Owner, OfferSequence } = tx.json;
  const key = escrowKey(Owner, OfferSequence);
  return { key, escrow: view.read(key) as Escrow | undefined };
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
