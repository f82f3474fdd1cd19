import { type EntryChange, entryBytes, LedgerView, type ReadView } from './entries.ts';
import * as tree from './hash-tree.ts';
import { affectedAccounts, describeOutcome, metadataBytes } from './metadata.ts';
import { isRetriable, isTec, type Result } from './results.ts';
import type { Transaction } from './signature.ts';
import type { Storage, StoredTransaction } from './storage.ts';
import { applyTransaction, type Outcome } from './transactors/apply.ts';
import type { ApplyOptions } from './transactors/transactor.ts';

export interface ClosedTransaction extends StoredTransaction {
  readonly result: Result;
  readonly affected: ReadonlySet<string>;
}

export interface ClosedLedger {
  readonly header: tree.LedgerHeader;
  readonly transactions: readonly ClosedTransaction[];
}

export interface ClosePlan {
  readonly parent: tree.LedgerHeader;
  /** In the order in which they are tried. */
  readonly transactions: readonly Transaction[];
  /** 3: failures are tried again after other transactions succeeded, as on a real server. 1: only the order decides. */
  readonly passes: 1 | 3;
  readonly closedAt: number;
  readonly options: Pick<ApplyOptions, 'fees' | 'loadFactor' | 'refusing'>;
}

/** The state of a closed ledger. */
export const viewOf = (storage: Storage, index: number): ReadView => ({
  read: key => storage.entry(key, index),
  next: (after, last) => storage.nextKey(after, last, index),
});

/** Builds the next ledger and stores it, in one commit. */
export function closeLedger(storage: Storage, plan: ClosePlan): ClosedLedger {
  return storage.atomically(() => {
    const index = plan.parent.index + 1;
    const state = new LedgerView(viewOf(storage, plan.parent.index));
    const built = buildTransactions(state, plan);
    const changes = state.changes();
    for (const change of changes) storage.putEntry(change, index);
    const header = tree.sealHeader({
      index,
      parentHash: plan.parent.hash,
      transactionHash: tree.updateTree(new Map(), built.leaves),
      accountHash: tree.updateTree(storage.tree, stateLeaves(changes)),
      totalCoins: plan.parent.totalCoins - built.burned,
      closeTime: tree.closeTimeOf(plan.closedAt, plan.parent.closeTime),
      parentCloseTime: plan.parent.closeTime,
    });
    storage.insertHeader(header);
    for (const tx of built.transactions) storage.insertTransaction(tx, tx.affected);
    return { header, transactions: built.transactions };
  });
}

/** The first passes leave a tec result for later: another transaction may still help it. The last pass applies it. */
function buildTransactions(state: LedgerView, plan: ClosePlan) {
  const ledgerIndex = plan.parent.index + 1;
  const transactions: ClosedTransaction[] = [];
  const leaves: tree.LeafChange[] = [];
  let burned = 0n;
  const record = (tx: Transaction, outcome: Outcome): void => {
    const { hash, json } = tx;
    const position = transactions.length;
    const { meta, changes } = describeOutcome(outcome, { hash, ledgerIndex, position });
    for (const { key, after } of changes) if (after) state.write(key, after);
    const affected = affectedAccounts(meta);
    transactions.push({ hash, ledgerIndex, position, json, meta, result: outcome.result, affected });
    const bytes = [tree.fromHex(tx.blob), metadataBytes(meta)].flatMap(part => [
      tree.variableLength(part.length),
      part,
    ]);
    leaves.push({ key: hash, hash: tree.sha512Half(tree.TRANSACTION_LEAF, ...bytes, tree.fromHex(hash)) });
    burned += outcome.burned;
  };
  const fixed = { ...plan.options, ledgerIndex, parentCloseTime: plan.parent.closeTime, open: false, failHard: false };
  let waiting = [...plan.transactions];
  let retry = plan.passes > 1;
  for (let pass = 0; pass < plan.passes; pass++) {
    const before = waiting.length;
    waiting = waiting.filter(tx => {
      const outcome = applyTransaction(tx, state, { ...fixed, retry });
      if (outcome.applied) record(tx, outcome);
      return !outcome.applied && (isRetriable(outcome.result) || isTec(outcome.result));
    });
    const changed = waiting.length < before;
    if (!changed && !retry) break;
    if (!changed || pass >= 1) retry = false;
  }
  return { transactions, leaves, burned };
}

export const stateLeaves = (changes: readonly Pick<EntryChange, 'key' | 'after'>[]): tree.LeafChange[] =>
  changes.map(({ key, after }) => ({
    key,
    hash: after && tree.sha512Half(tree.STATE_LEAF, entryBytes(after), tree.fromHex(key)),
  }));
