import { compareWithinAccount } from './canonical-order.ts';
import type { Transaction } from './signature.ts';

const LIMIT = 20_000;
/** The number of closes for which a server keeps a transaction without LastLedgerSequence. */
const KEPT_LEDGERS = 5;
const HELD_LEDGERS = 256;

interface Waiting {
  readonly tx: Transaction;
  /** Index of the first ledger that it is tried in. */
  readonly from: number;
  /** Index of the last ledger that it is tried in. */
  readonly until: number;
  /** terQUEUED: it waits for a place that costs no more than this fee level. */
  readonly level?: bigint;
}
export type Queued = Waiting & { readonly level: bigint };

const isQueued = (waiting: Waiting): waiting is Queued => waiting.level !== undefined;

/** Transactions that may not enter the open ledger now and are tried again at every close (XRPL-4.1). The oldest one makes place for a new one. */
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

  /** For terQUEUED. */
  queue(tx: Transaction, level: bigint, openIndex: number): void {
    this.#add({ tx, from: openIndex, until: tx.lastLedger ?? openIndex + HELD_LEDGERS, level });
  }

  get(hash: string): Transaction | undefined {
    return this.#byHash.get(hash)?.tx;
  }

  /** Those that wait for a cheaper place, in no order. */
  queued(account?: string): Queued[] {
    if (this.size === 0) return [];
    const all = [...this.#byHash.values()].filter(isQueued);
    return account === undefined ? all : all.filter(({ tx }) => tx.account === account);
  }

  /** Removes and returns the transaction of this account and Sequence that may be tried in the ledger `openIndex`. */
  takeNext(account: string, sequence: number, openIndex: number): Transaction | undefined {
    for (const { tx, from, level } of this.#byHash.values())
      if (
        tx.account === account &&
        tx.ticket === undefined &&
        tx.sequence === sequence &&
        from <= openIndex &&
        level === undefined
      ) {
        this.#byHash.delete(tx.hash);
        return tx;
      }
    return undefined;
  }

  /** What may be tried in the ledger `openIndex`, whatever a place costs. Expired transactions are dropped. */
  held(openIndex: number): Transaction[] {
    for (const { tx, until } of [...this.#byHash.values()]) if (until < openIndex) this.#byHash.delete(tx.hash);
    return [...this.#byHash.values()]
      .filter(waiting => waiting.from <= openIndex && !isQueued(waiting))
      .map(({ tx }) => tx)
      .sort(compareWithinAccount);
  }

  remove(hash: string): void {
    this.#byHash.delete(hash);
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
    this.#byHash.set(waiting.tx.hash, waiting);
  }
}

/** The order in which the queue enters: the highest fee level first. */
export const byLevel = (a: Queued, b: Queued): number => Number(b.level - a.level) || compareWithinAccount(a.tx, b.tx);
