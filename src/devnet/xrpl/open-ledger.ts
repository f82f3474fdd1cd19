import { LedgerView, type ReadView } from './ledger-view.ts';
import { applyTransaction, type Outcome } from './rules/apply.ts';
import type { Setting } from './rules/rule.ts';
import type { Transaction } from './rules/transaction.ts';

/** The ledger that is being filled: provisional results, in the order of arrival. Its close may decide otherwise. */
export class OpenLedger {
  readonly index: number;
  readonly view: LedgerView;
  readonly transactions = new Map<string, Transaction>();
  readonly #setting: Omit<Setting, 'failHard'>;

  constructor(
    index: number,
    closed: ReadView,
    setting: Omit<Setting, 'failHard' | 'ledgerIndex' | 'open' | 'retry'>,
  ) {
    this.index = index;
    this.view = new LedgerView(closed);
    this.#setting = { ...setting, ledgerIndex: index, open: true, retry: false };
  }

  apply(tx: Transaction, failHard = false): Outcome {
    const outcome = applyTransaction(tx, this.view, { ...this.#setting, failHard });
    if (outcome.applied) this.transactions.set(tx.hash, tx);
    return outcome;
  }

  /** What would happen, without it happening. */
  tryOut(tx: Transaction, failHard = false): Outcome {
    return applyTransaction(tx, new LedgerView(this.view), { ...this.#setting, failHard });
  }
}
