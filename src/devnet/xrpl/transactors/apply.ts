import { type AccountRoot, accountKey, type Entry, type TrustLine, ticketKey } from '../entries.ts';
import { type EntryChange, LedgerView, type ReadView } from '../ledger-view.ts';
import { type Amount, AmountOverflow } from '../quantities.ts';
import { type Failure, isTec, type Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { removeOwned } from './owned-entries.ts';
import { preclaim } from './preclaim.ts';
import { TRANSACTORS } from './registry.ts';
import { type ApplyContext, type ApplyOptions, sourceAccount } from './transactor.ts';

export interface Outcome {
  readonly result: Result;
  /** It is in the ledger: with all its effects (tes), or with fee and Sequence only (tec). */
  readonly applied: boolean;
  /** Drops that were burned. */
  readonly burned: bigint;
  readonly changes: readonly EntryChange[];
  /** The delivery of an AccountDelete or a partial payment. */
  readonly delivered?: Amount | undefined;
  /** Accounts that own a created or deleted entry and are unchanged themselves. They are linked to the transaction. */
  readonly linked: readonly LinkedAccount[];
}

/** Applies a transaction that passed preflight to `target`, wholly or not at all. */
export function applyTransaction(tx: Transaction, target: LedgerView, options: ApplyOptions): Outcome {
  const unfit = preclaim(contextOf(tx, target, options));
  if (unfit) return applyFailed(tx, target, options, unfit);
  let delivered: Amount | undefined;
  const context = contextOf(tx, new LedgerView(target), options, amount => {
    delivered = amount;
  });
  const failure = perform(context);
  if (failure) return applyFailed(tx, target, options, failure);
  return { ...commit(context, target, 'tesSUCCESS'), delivered };
}

function contextOf(
  tx: Transaction,
  view: LedgerView,
  options: ApplyOptions,
  deliver: ApplyContext['deliver'] = () => {},
): ApplyContext {
  const priorBalance = BigInt(view.account(tx.account)?.Balance ?? 0);
  return { ...options, tx, view, priorBalance, deliver };
}

/** A tec result still costs the fee and the Sequence, unless it may not be applied now. */
function applyFailed(tx: Transaction, target: LedgerView, options: ApplyOptions, result: Result): Outcome {
  if (!isTec(result) || options.retry || options.failHard)
    return { result, applied: false, burned: 0n, changes: [], linked: [] };
  const context = contextOf(tx, new LedgerView(target), options);
  payCost(context);
  return commit(context, target, result);
}

function perform(context: ApplyContext): Failure {
  const { tx, view } = context;
  payCost(context);
  const source = sourceAccount(context);
  if (source.AccountTxnID !== undefined) view.writeAccount({ ...source, AccountTxnID: tx.hash });
  const transactor = TRANSACTORS[tx.type];
  if (!transactor) throw new Error(`no transactor for ${tx.type}`);
  try {
    return transactor.apply(context);
  } catch (error) {
    if (error instanceof AmountOverflow) return 'tefEXCEPTION';
    throw error;
  }
}

/** Burns the fee, at most the whole balance (tecINSUFF_FEE), and uses up the Sequence or the ticket. */
function payCost(context: ApplyContext): void {
  const { tx, view, priorBalance } = context;
  const account = sourceAccount(context);
  const paid = { ...account, Balance: (priorBalance - burnedBy(context)).toString() };
  if (tx.ticket === undefined) {
    view.writeAccount({ ...paid, Sequence: account.Sequence + 1 });
    return;
  }
  view.writeAccount(paid);
  removeOwned(view, tx.account, ticketKey(tx.account, tx.ticket));
}

function burnedBy({ tx, priorBalance }: ApplyContext): bigint {
  const fee = tx.fee ?? 0n;
  return fee < priorBalance ? fee : priorBalance;
}

function commit(context: ApplyContext, target: LedgerView, result: Result): Outcome {
  const changes = context.view.changes();
  const linked = linkedAccounts(context.view, changes);
  context.view.commitTo(target);
  return { result, applied: true, burned: burnedBy(context), changes, linked };
}

export interface LinkedAccount {
  readonly key: string;
  readonly account: AccountRoot;
}

/** The accounts behind created and deleted entries that the transaction has not changed. */
function linkedAccounts(view: ReadView, changes: readonly EntryChange[]): LinkedAccount[] {
  const changed = new Set(changes.map(({ key }) => key));
  const owners = changes
    .filter(({ before, after }) => !before || !after)
    .flatMap(({ before, after }) => ownersOf((after ?? before)!));
  return [...new Set(owners)].flatMap(address => {
    const key = accountKey(address);
    const account = changed.has(key) ? undefined : (view.read(key) as AccountRoot | undefined);
    return account ? [{ key, account }] : [];
  });
}

function ownersOf(entry: Entry): string[] {
  const { LedgerEntryType: type } = entry;
  if (type === 'AccountRoot') return [];
  if (type === 'RippleState') {
    const { LowLimit, HighLimit } = entry as TrustLine;
    return [LowLimit.issuer, HighLimit.issuer];
  }
  return [entry.Account, entry.Destination].filter(address => typeof address === 'string');
}
