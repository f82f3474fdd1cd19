import { type AccountRoot, ticketKey } from '../entries.ts';
import { type EntryChange, LedgerView } from '../ledger-view.ts';
import { removeTicket } from './owner-directory.ts';
import { preclaim } from './preclaim.ts';
import { RULES } from './registry.ts';
import { isTec, type Result } from './results.ts';
import type { Setting } from './rule.ts';
import type { Transaction } from './transaction.ts';

export interface Outcome {
  readonly result: Result;
  /** It stands in the ledger: with all its effects (tes), or with fee and Sequence only (tec). */
  readonly applied: boolean;
  /** Drops that were burned. */
  readonly burned: bigint;
  readonly changes: readonly EntryChange[];
}

const nothing = (result: Result): Outcome => ({ result, applied: false, burned: 0n, changes: [] });

/** Applies a transaction, whose preflight was passed, to `target`, wholly or not at all. */
export function applyTransaction(tx: Transaction, target: LedgerView, setting: Setting): Outcome {
  const claim = preclaim(tx, target, setting);
  const takesTec = !setting.retry && !setting.failHard;
  if (claim !== 'tesSUCCESS' && !(isTec(claim) && takesTec)) return nothing(claim);
  if (claim === 'tesSUCCESS') {
    const view = new LedgerView(target);
    const result = perform(tx, view, setting);
    if (result === 'tesSUCCESS') return finish(tx, view, target, result);
    if (!isTec(result) || !takesTec) return nothing(result);
    return applyOnlyCost(tx, target, result);
  }
  return applyOnlyCost(tx, target, claim);
}

function perform(tx: Transaction, view: LedgerView, setting: Setting): Result {
  const priorBalance = BigInt(known(view, tx).Balance);
  payCost(tx, view);
  const source = known(view, tx);
  if (source.AccountTxnID !== undefined) view.writeAccount({ ...source, AccountTxnID: tx.hash });
  const rule = RULES[tx.type];
  if (!rule) throw new Error(`no rule for ${tx.type}`);
  return rule.apply({ tx, setting, view, priorBalance, source: () => known(view, tx) });
}

function applyOnlyCost(tx: Transaction, target: LedgerView, result: Result): Outcome {
  const view = new LedgerView(target);
  payCost(tx, view);
  return finish(tx, view, target, result);
}

/** The fee is destroyed, never more than there is (tecINSUFF_FEE); the Sequence or the ticket is used up. */
function payCost(tx: Transaction, view: LedgerView): void {
  const account = known(view, tx);
  const balance = BigInt(account.Balance);
  const fee = tx.fee ?? 0n;
  const left = balance > fee ? balance - fee : 0n;
  const paid = { ...account, Balance: left.toString() };
  if (tx.ticket === undefined) {
    view.writeAccount({ ...paid, Sequence: account.Sequence + 1 });
    return;
  }
  view.writeAccount(paid);
  removeTicket(view, tx.account, ticketKey(tx.account, tx.ticket));
}

function finish(tx: Transaction, view: LedgerView, target: LedgerView, result: Result): Outcome {
  const before = BigInt(known(target, tx).Balance);
  const fee = tx.fee ?? 0n;
  const changes = view.changes();
  view.commitTo(target);
  return { result, applied: true, burned: fee < before ? fee : before, changes };
}

function known(view: LedgerView, tx: Transaction): AccountRoot {
  const account = view.account(tx.account);
  if (!account) throw new Error('the source account vanished');
  return account;
}
