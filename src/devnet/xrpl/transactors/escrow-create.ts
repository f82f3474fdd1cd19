import { escrowKey } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { isXrp } from '../quantities.ts';
import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { checkCondition } from './crypto-condition.ts';
import { changeOwnerCount } from './owned-entries.ts';
import { addToOwnerDirectory } from './owner-directory.ts';
import { type ApplyContext, lacksTag, sourceAccount, type Transactor } from './transactor.ts';

/** Locks XRP for a destination until a time, a condition, or both. Tokens are answered with temBAD_AMOUNT. */
export const escrowCreate: Transactor = {
  preflight,
  preclaim,
  apply,
};

interface Terms {
  readonly Destination: string;
  readonly Amount: string;
  readonly CancelAfter?: number;
  readonly FinishAfter?: number;
  /** Hex. */
  readonly Condition?: string;
}
const termsOf = ({ json }: Transaction): Terms => json as unknown as Terms;

function preflight(tx: Transaction): Result {
  const { Amount, CancelAfter, FinishAfter, Condition } = termsOf(tx);
  if (!isXrp(Amount) || BigInt(Amount) <= 0n) return 'temBAD_AMOUNT';
  if (CancelAfter === undefined && FinishAfter === undefined) return 'temBAD_EXPIRATION';
  if (CancelAfter !== undefined && FinishAfter !== undefined && CancelAfter <= FinishAfter)
    return 'temBAD_EXPIRATION';
  if (FinishAfter === undefined && Condition === undefined) return 'temMALFORMED';
  return Condition === undefined ? 'tesSUCCESS' : checkCondition(Condition);
}

function preclaim({ tx, view }: ApplyContext): Result {
  return view.account(termsOf(tx).Destination) ? 'tesSUCCESS' : 'tecNO_DST';
}

function apply(context: ApplyContext): Result {
  const { tx, view, fees, parentCloseTime } = context;
  const { Destination, Amount, CancelAfter, FinishAfter } = termsOf(tx);
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
  return 'tesSUCCESS';
}

/** It stands in the directories of both sides, and counts for the reserve of its owner. */
function place({ tx, view }: ApplyContext): void {
  const { Destination } = termsOf(tx);
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

const KEPT = [
  'Amount',
  'CancelAfter',
  'Condition',
  'Destination',
  'DestinationTag',
  'FinishAfter',
  'SourceTag',
] as const;

const stated = ({ json }: Transaction) =>
  Object.fromEntries(KEPT.filter(name => json[name] !== undefined).map(name => [name, json[name]]));
