import { compareWithinAccount } from './canonical-order.ts';
import type { Transaction } from './transaction.ts';

const LIMIT = 10_000;
/** The number of closes for which a server keeps a transaction without LastLedgerSequence. */
const KEPT_LEDGERS = 5;
const HELD_LEDGERS = 256;

interface Waiting {
  readonly tx: Transaction;
  /** Index of the last ledger that it is tried in. */
  readonly until: number;
}

/** Transactions that failed for now and are tried again at every close (XRPL-4.1). The oldest one makes place for a new one. */
export class RetryPool {
  readonly #byHash = new Map<string, Waiting>();

  get size(): number {
    return this.#byHash.size;
  }

  /** For a ter result: until the LastLedgerSequence has passed. */
  hold(tx: Transaction, openIndex: number): void {
    this.#add(tx, tx.lastLedger ?? openIndex + HELD_LEDGERS);
  }

  /** For any other result: a few closes. */
  keep(tx: Transaction, openIndex: number): void {
    this.#add(tx, Math.min(tx.lastLedger ?? Number.POSITIVE_INFINITY, openIndex + KEPT_LEDGERS));
  }

  get(hash: string): Transaction | undefined {
    return this.#byHash.get(hash)?.tx;
  }

  /** Removes and returns the transaction of this account and Sequence. */
  takeNext(account: string, sequence: number): Transaction | undefined {
    for (const { tx } of this.#byHash.values())
      if (tx.account === account && tx.ticket === undefined && tx.sequence === sequence) {
        this.#byHash.delete(tx.hash);
        return tx;
      }
    return undefined;
  }

  /** Empties the pool and returns what may still be tried in the ledger `openIndex`. */
  takeAll(openIndex: number): Waiting[] {
    const all = [...this.#byHash.values()].filter(({ until }) => until >= openIndex);
    this.#byHash.clear();
    return all.sort((a, b) => compareWithinAccount(a.tx, b.tx));
  }

  putBack(waiting: Waiting): void {
    this.#byHash.set(waiting.tx.hash, waiting);
  }

  clear(): void {
    this.#byHash.clear();
  }

  #add(tx: Transaction, until: number): void {
    if (this.#byHash.has(tx.hash)) return;
    if (this.#byHash.size >= LIMIT) {
      const [oldest] = this.#byHash.keys();
      if (oldest) this.#byHash.delete(oldest);
    }
    this.#byHash.set(tx.hash, { tx, until });
  }
}
