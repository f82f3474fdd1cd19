import { LedgerView, type ReadView } from './entries.ts';
import type { Transaction } from './signature.ts';
import { applyTransaction, type Outcome } from './transactors/apply.ts';
import type { ApplyOptions } from './transactors/transactor.ts';

type OpenOptions = Pick<ApplyOptions, 'fees' | 'loadFactor' | 'parentCloseTime'>;

/** The ledger that takes submissions, in the order of arrival. Its results are provisional: the close may decide otherwise. */
export class OpenLedger {
  readonly index: number;
  readonly view: LedgerView;
  readonly transactions = new Map<string, Transaction>();
  readonly #options: () => OpenOptions;

  constructor(index: number, closed: ReadView, options: () => OpenOptions) {
    this.index = index;
    this.view = new LedgerView(closed);
    this.#options = options;
  }

  apply(tx: Transaction, failHard = false): Outcome {
    const outcome = applyTransaction(tx, this.view, this.#applyOptions(failHard));
    if (outcome.applied) this.transactions.set(tx.hash, tx);
    return outcome;
  }

  /** The outcome of `apply`, without its effect. */
  tryOut(tx: Transaction, { failHard = false, dryRun = false } = {}): Outcome {
    const options = { ...this.#applyOptions(failHard), dryRun };
    return applyTransaction(tx, new LedgerView(this.view), options);
  }

  #applyOptions(failHard: boolean): ApplyOptions {
    return { ...this.#options(), ledgerIndex: this.index, open: true, retry: false, failHard };
  }
}
