import { compareWithinAccount } from './canonical-order.ts';
import type { Result } from './results.ts';
import type { Transaction } from './transaction.ts';

/** A fee level is the paid fee relative to the base fee; 256 is the base fee itself. */
export const BASE_LEVEL = 256n;
const LEAST_MULTIPLIER = 128_000n;
const QUEUED_LEDGERS = 20;
const PER_ACCOUNT = 10;
/** A queued transaction must stay valid for at least this number of ledgers. */
const LEDGERS_LEFT = 2;

/** These may change who signs for the account, so nothing is queued behind or in front of them. */
export function isBlocker({ type, json, flags }: Transaction): boolean {
  if (type !== 'AccountSet') return BLOCKING_TYPES.has(type);
  return [json.SetFlag, json.ClearFlag].some(asf => BLOCKING_FLAGS.has(asf)) || (flags & AUTH_FLAGS) !== 0;
}

const BLOCKING_TYPES = new Set(['AccountDelete', 'SetRegularKey', 'SignerListSet']);
/** asfRequireAuth, asfDisableMaster, asfAccountTxnID. */
const BLOCKING_FLAGS = new Set<unknown>([2, 4, 5]);
/** tfRequireAuth and tfOptionalAuth. */
const AUTH_FLAGS = 0x000c0000;

interface Queued {
  readonly tx: Transaction;
  readonly level: bigint;
}

/**
 * Transactions that pay too little for a full open ledger (terQUEUED). Up to the expected size a place costs the base
 * fee. Beyond it the price rises with the square of the size.
 */
export class FeeQueue {
  /** Transactions that the open ledger takes for the base fee. It grows after a full ledger. */
  expectedSize: number;
  readonly #byHash = new Map<string, Queued>();
  readonly #leastSize: number;
  #recentSizes: number[] = [];
  /** Fee level of the first place beyond the expected size. */
  multiplier = LEAST_MULTIPLIER;

  constructor(expectedSize: number) {
    this.expectedSize = expectedSize;
    this.#leastSize = expectedSize;
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
    return (this.multiplier * size * size) / (expected * expected);
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
    const others = own.filter(entry => entry !== replaced);
    if (others.some(entry => isBlocker(entry.tx))) return 'telCAN_NOT_QUEUE_BLOCKED';
    if (others.length > 0 && isBlocker(tx)) return 'telCAN_NOT_QUEUE_BLOCKS';
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

  /** Learns from the fee levels of a closed ledger: its size, and the median as the price of a full ledger. */
  closed(levels: readonly bigint[]): void {
    this.#resize(levels.length);
    const sorted = [...levels].sort((a, b) => (a < b ? -1 : 1));
    const middle = (sorted[sorted.length >> 1] ?? 0n) + (sorted[(sorted.length - 1) >> 1] ?? 0n);
    const median = (middle + 1n) / 2n;
    this.multiplier = median > LEAST_MULTIPLIER ? median : LEAST_MULTIPLIER;
  }

  /** Grows at once by a fifth above a full ledger, and shrinks slowly. */
  #resize(size: number): void {
    if (size <= this.expectedSize && size <= this.#leastSize) return;
    this.#recentSizes = [...this.#recentSizes, Math.floor((size * 120) / 100)].slice(-QUEUED_LEDGERS);
    const largest = Math.max(...this.#recentSizes);
    this.expectedSize =
      largest >= this.expectedSize ? largest : Math.floor((this.expectedSize * 9 + largest) / 10);
  }

  clear(): void {
    this.#byHash.clear();
    this.#recentSizes = [];
    this.expectedSize = this.#leastSize;
    this.multiplier = LEAST_MULTIPLIER;
  }
}
