import { compareWithinAccount } from './canonical-order.ts';
import type { Transaction } from './transaction.ts';

const LIMIT = 10_000;
/** The number of closes for which a server keeps a transaction without LastLedgerSequence. */
const KEPT_LEDGERS = 5;
const HELD_LEDGERS = 256;

interface Waiting {
  readonly tx: Transaction;
  /** Index of the first ledger that it is tried in. */
  readonly from: number;
  /** Index of the last ledger that it is tried in. */
  readonly until: number;
}

/** Transactions that failed for now and are tried again at every close (XRPL-4.1). The oldest one makes place for a new one. */
export class RetryPool {
  readonly #byHash = new Map<string, Waiting>();

  get size(): number {
    return this.#byHash.size;
  }

  /** For a ter result, and for a delay until the ledger `from`: until the LastLedgerSequence has passed. */
  hold(tx: Transaction, openIndex: number, from = openIndex): void {
    this.#add({ tx, from, until: tx.lastLedger ?? from + HELD_LEDGERS });
  }

  /** For any other result: a few closes. */
  keep(tx: Transaction, openIndex: number): void {
    const until = Math.min(tx.lastLedger ?? Number.POSITIVE_INFINITY, openIndex + KEPT_LEDGERS);
    this.#add({ tx, from: openIndex, until });
  }

  get(hash: string): Transaction | undefined {
    return this.#byHash.get(hash)?.tx;
  }

  /** Removes and returns the transaction of this account and Sequence that may be tried in the ledger `openIndex`. */
  takeNext(account: string, sequence: number, openIndex: number): Transaction | undefined {
    for (const { tx, from } of this.#byHash.values())
      if (
        tx.account === account &&
        tx.ticket === undefined &&
        tx.sequence === sequence &&
        from <= openIndex
      ) {
        this.#byHash.delete(tx.hash);
        return tx;
      }
    return undefined;
  }

  /** Removes what has begun, and returns what may still be tried in the ledger `openIndex`. */
  takeAll(openIndex: number): Waiting[] {
    const begun = [...this.#byHash.values()].filter(({ from }) => from <= openIndex);
    for (const { tx } of begun) this.#byHash.delete(tx.hash);
    return begun.filter(({ until }) => until >= openIndex).sort((a, b) => compareWithinAccount(a.tx, b.tx));
  }

  putBack(waiting: Waiting): void {
    this.#byHash.set(waiting.tx.hash, waiting);
  }

  clear(): void {
    this.#byHash.clear();
  }

  #add(waiting: Waiting): void {
    if (this.#byHash.has(waiting.tx.hash)) return;
    if (this.#byHash.size >= LIMIT) {
      const [oldest] = this.#byHash.keys();
      if (oldest) this.#byHash.delete(oldest);
    }
    this.putBack(waiting);
  }
}
