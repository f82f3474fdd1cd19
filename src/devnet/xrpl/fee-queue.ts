import { compareWithinAccount } from './canonical-order.ts';
import type { Result } from './results.ts';
import type { Transaction } from './transaction.ts';

/** A fee level is the paid fee relative to the base fee; 256 is the base fee itself. */
export const BASE_LEVEL = 256n;
const LEAST_MULTIPLIER = 128_000n;
const QUEUED_LEDGERS = 20;
const PER_ACCOUNT = 10;
/** A queued transaction must stay valid for at least so many more ledgers. */
const LEDGERS_LEFT = 2;

interface Queued {
  readonly tx: Transaction;
  readonly level: bigint;
}

/**
 * Transactions that pay too little for a full open ledger (terQUEUED). Up to the expected size a place costs the base
 * fee. Beyond it the price rises with the square of the size.
 */
export class FeeQueue {
  readonly expectedSize: number;
  readonly #byHash = new Map<string, Queued>();
  #multiplier = LEAST_MULTIPLIER;

  constructor(expectedSize: number) {
    this.expectedSize = expectedSize;
  }

  get size(): number {
    return this.#byHash.size;
  }

  get maxSize(): number {
    return this.expectedSize * QUEUED_LEDGERS;
  }

  /** Fee level of the next place in an open ledger of `openSize` transactions. */
  requiredLevel(openSize: number): bigint {
    if (openSize <= this.expectedSize) return BASE_LEVEL;
    const [size, expected] = [BigInt(openSize), BigInt(this.expectedSize)];
    return (this.#multiplier * size * size) / (expected * expected);
  }

  get(hash: string): Transaction | undefined {
    return this.#byHash.get(hash)?.tx;
  }

  of(account: string): Queued[] {
    if (this.size === 0) return [];
    const own = [...this.#byHash.values()].filter(({ tx }) => tx.account === account);
    return own.sort((a, b) => compareWithinAccount(a.tx, b.tx));
  }

  /** Returns terQUEUED, or why the transaction is not queued. */
  add(tx: Transaction, level: bigint, openIndex: number): Result {
    if (tx.json.AccountTxnID !== undefined || (tx.lastLedger ?? Infinity) < openIndex + LEDGERS_LEFT)
      return 'telCAN_NOT_QUEUE';
    const own = this.of(tx.account);
    const replaced = own.find(
      ({ tx: other }) => other.sequence === tx.sequence && other.ticket === tx.ticket,
    );
    if (replaced && level * 4n < replaced.level * 5n) return 'telCAN_NOT_QUEUE_FEE';
    if (!replaced && (own.length >= PER_ACCOUNT || this.size >= this.maxSize)) return 'telCAN_NOT_QUEUE_FULL';
    if (replaced) this.#byHash.delete(replaced.tx.hash);
    this.#byHash.set(tx.hash, { tx, level });
    return 'terQUEUED';
  }

  /** The queue for the open ledger `openIndex`, highest fee level first. Expired transactions are dropped. */
  candidates(openIndex: number): Queued[] {
    for (const { tx } of [...this.#byHash.values()])
      if ((tx.lastLedger ?? openIndex) < openIndex) this.#byHash.delete(tx.hash);
    return [...this.#byHash.values()].sort(
      (a, b) => Number(b.level - a.level) || compareWithinAccount(a.tx, b.tx),
    );
  }

  remove(hash: string): void {
    this.#byHash.delete(hash);
  }

  /** The price in a full ledger follows the median fee level of the last ledger. */
  closed(levels: readonly bigint[]): void {
    const sorted = [...levels].sort((a, b) => (a < b ? -1 : 1));
    const median = sorted[sorted.length >> 1] ?? 0n;
    this.#multiplier = median > LEAST_MULTIPLIER ? median : LEAST_MULTIPLIER;
  }

  clear(): void {
    this.#byHash.clear();
  }
}
