import type { EscrowCreate } from 'xrpl';
import { escrowKey } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { isXrp } from '../quantities.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { addToOwnerDirectory, changeOwnerCount } from './owned-entries.ts';
import { type ApplyContext, lacksTag, sourceAccount, type Transactor } from './transactor.ts';

/** `Amount` in drops. */
type Create = EscrowCreate & { Amount: string };

/** Locks XRP for a destination until a time. Tokens are answered with temBAD_AMOUNT, conditions with temDISABLED. */
export const escrowCreate: Transactor<Create> = { preflight, preclaim, apply };

function preflight({ json }: Transaction<Create>): Failure {
  const { Amount, CancelAfter, FinishAfter, Condition } = json;
  if (!isXrp(Amount) || BigInt(Amount) <= 0n) return 'temBAD_AMOUNT';
  if (CancelAfter === undefined && FinishAfter === undefined) return 'temBAD_EXPIRATION';
  if (CancelAfter !== undefined && FinishAfter !== undefined && CancelAfter <= FinishAfter)
    return 'temBAD_EXPIRATION';
  if (Condition !== undefined) return 'temDISABLED';
  return FinishAfter === undefined ? 'temMALFORMED' : undefined;
}

function preclaim({ tx, view }: ApplyContext<Create>): Failure {
  return view.account(tx.json.Destination) ? undefined : 'tecNO_DST';
}

function apply(context: ApplyContext<Create>): Failure {
  const { tx, view, fees, parentCloseTime } = context;
  const { Destination, Amount, CancelAfter, FinishAfter } = tx.json;
  if ([CancelAfter, FinishAfter].some(time => time !== undefined && parentCloseTime > time))
    return 'tecNO_PERMISSION';
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
