import { withinAccount } from './canonical-order.ts';
import type { Transaction } from './rules/transaction.ts';

const LIMIT = 10_000;
/** Closes for which a server keeps trying what it was given, where nothing better is known. */
export const KEPT_LEDGERS = 5;
const HELD_LEDGERS = 256;

interface Pending {
  readonly tx: Transaction;
  readonly until: number;
}

/** Transactions that were refused for now and are tried again at every close (XRPL-4.1). Bounded: the oldest go first. */
export class PendingTransactions {
  readonly #byHash = new Map<string, Pending>();

  get size(): number {
    return this.#byHash.size;
  }

  /** A ter: until its LastLedgerSequence has passed. */
  hold(tx: Transaction, openIndex: number): void {
    this.#add(tx, tx.lastLedger ?? openIndex + HELD_LEDGERS);
  }

  /** Anything else that was submitted here: for a few closes. */
  keep(tx: Transaction, openIndex: number): void {
    this.#add(tx, Math.min(tx.lastLedger ?? Number.POSITIVE_INFINITY, openIndex + KEPT_LEDGERS));
  }

  get(hash: string): Transaction | undefined {
    return this.#byHash.get(hash)?.tx;
  }

  /** The one that fills the gap after the account's Sequence moved on; it is no longer pending then. */
  takeNext(account: string, sequence: number): Transaction | undefined {
    for (const { tx } of this.#byHash.values())
      if (tx.account === account && tx.ticket === undefined && tx.sequence === sequence) {
        this.#byHash.delete(tx.hash);
        return tx;
      }
    return undefined;
  }

  /** All of them, with the ledger until which each may be tried; none is pending afterwards. */
  takeAll(openIndex: number): Pending[] {
    const all = [...this.#byHash.values()].filter(({ until }) => until >= openIndex);
    this.#byHash.clear();
    return all.sort((a, b) => withinAccount(a.tx, b.tx));
  }

  putBack(pending: Pending): void {
    this.#byHash.set(pending.tx.hash, pending);
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
