import { BASE_LEVEL, defaultBaseFee, type Fees, MEDIAN_LEVEL } from './entries.ts';
import { isRetriable, isTem, type Result } from './results.ts';
import { byLevel, compareWithinAccount, type OpenLedger, RetryPool } from './retry-pool.ts';
import type { Transaction } from './signature.ts';
import type { Outcome } from './transactors/apply.ts';
import { baseFee, preflight } from './transactors/registry.ts';

export interface SubmissionResult {
  readonly result: Result;
  /** It entered the open ledger (tes or tec). */
  readonly applied: boolean;
  readonly kept: boolean;
}

const MAX_MALFORMED = 10_000;
const QUEUED_LEDGERS = 20;
/** In per cent of the fee level of a queued transaction: one in its place must pay more. */
const TO_REPLACE = 125n;
/** Each pass over the queue may let in only one of an account. */
const MAX_OF_ACCOUNT = 10;

/** A transaction that entered the open ledger. */
export interface Proposal {
  readonly tx: Transaction;
  readonly result: Result;
  readonly ledgerIndex: number;
}

/** The ledger that submissions enter. */
export interface RunningLedger {
  readonly networkId: number;
  readonly open: OpenLedger;
  readonly fees: Fees;
  readonly loadFactor: number;
  /** A transaction has entered the open ledger. */
  emit(event: 'proposed', proposal: Proposal): void;
}

/** The way into the open ledger: directly, or from the retry pool (XRPL-4.1). */
export class Submissions {
  readonly retryPool = new RetryPool();
  /** Transactions that the open ledger takes for the base fee. It grows after a full ledger. */
  expectedSize: number;
  readonly #leastSize: number;
  readonly #ledger: RunningLedger;
  /** Hashes of malformed transactions. A second submission is rejected at once. */
  readonly #malformed = new Set<string>();
  #dropping = 0;
  #delays: number[] = [];

  constructor(ledger: RunningLedger, expectedLedgerSize: number) {
    this.#ledger = ledger;
    this.expectedSize = expectedLedgerSize;
    this.#leastSize = expectedLedgerSize;
  }

  submit(tx: Transaction, failHard: boolean): SubmissionResult {
    if (this.#malformed.has(tx.hash)) return rejected('temBAD_SIGNATURE', false);
    const failed = preflight(tx, this.#ledger.networkId);
    if (failed) {
      if (isTem(failed)) this.#rememberMalformed(tx.hash);
      return rejected(failed, !failHard);
    }
    return this.#divert(tx, failHard) ?? this.#enqueue(tx, failHard) ?? this.#apply(tx, failHard);
  }

  /** Fills the new open ledger after a close with what the close left out and with the retry pool. */
  refill(submitted: readonly Transaction[], included: ReadonlySet<string>): void {
    const { open } = this.#ledger;
    if (included.size > this.expectedSize) this.expectedSize = Math.floor((included.size * 6) / 5);
    for (const tx of submitted) if (!included.has(tx.hash)) this.retryPool.keep(tx, open.index);
    for (const tx of this.retryPool.held(open.index)) this.#enterAgain(tx);
    // Each that enters may make way for the next of its account.
    let entered = true;
    while (entered) {
      entered = false;
      for (const { tx, level } of this.retryPool.queued().sort(byLevel))
        if (level >= this.openLevel && this.#enterAgain(tx)) entered = true;
    }
  }

  /**
   * Fee level of the next place in the open ledger. Up to the expected size it is that of the base fee. Beyond it the price
   * rises with the square of the size.
   */
  get openLevel(): bigint {
    const { size } = this.#ledger.open.transactions;
    if (size <= this.expectedSize) return BASE_LEVEL;
    const [open, expected] = [BigInt(size), BigInt(this.expectedSize)];
    return (MEDIAN_LEVEL * open * open) / (expected * expected);
  }

  /** As many may be queued. */
  get maxQueueSize(): number {
    return this.expectedSize * QUEUED_LEDGERS;
  }

  /** Drops for the next place in the open ledger. */
  get openFee(): bigint {
    const { fees, loadFactor } = this.#ledger;
    const escalated = (this.openLevel * fees.base + BASE_LEVEL - 1n) / BASE_LEVEL;
    const least = fees.base * BigInt(loadFactor);
    return escalated > least ? escalated : least;
  }

  /** A client should pay this multiple of the base fee now. */
  get feeFactor(): number {
    return Math.max(this.#ledger.loadFactor, Number(this.openLevel) / Number(BASE_LEVEL));
  }

  /** The account's next Sequence in the open ledger, and the first one behind its queued transactions. */
  sequencesOf(account: string): { next: number; available: number } {
    const next = this.#ledger.open.view.account(account)?.Sequence ?? 0;
    let available = next;
    for (const { tx } of this.retryPool.queued(account).sort((a, b) => compareWithinAccount(a.tx, b.tx)))
      if (tx.sequence === available) available++;
    return { next, available };
  }

  find(hash: string): Transaction | undefined {
    return this.#ledger.open.transactions.get(hash) ?? this.retryPool.get(hash)?.tx;
  }

  dropNext(): void {
    this.#dropping++;
  }

  delayNext(closes: number): void {
    this.#delays.push(closes);
  }

  /** The controls that wait for a submission. */
  get waiting(): string[] {
    return [...Array(this.#dropping).fill('drop'), ...this.#delays.map(closes => `delay ${closes}`)];
  }

  clear(): void {
    this.retryPool.clear();
    this.expectedSize = this.#leastSize;
    this.#malformed.clear();
    this.#dropping = 0;
    this.#delays = [];
  }

  /** A free transaction is measured as if it paid the usual fee on top. */
  #levelOf(tx: Transaction): bigint {
    const { open, fees } = this.#ledger;
    const base = baseFee(tx, open.view, fees);
    const usual = defaultBaseFee(tx, fees);
    const added = base > 0n ? 0n : usual > 0n ? usual : 1n;
    return (((tx.fee ?? 0n) + added) * BASE_LEVEL) / (base + added);
  }

  #apply(tx: Transaction, failHard: boolean): SubmissionResult {
    const { result, applied } = this.#enter(tx, failHard);
    if (isTem(result)) this.#rememberMalformed(tx.hash);
    else if (applied) this.#dropRival(tx);
    else if (!failHard) this.#remember(tx, result);
    if (result === 'tesSUCCESS') this.#fillGap(tx);
    return { result, applied, kept: !failHard || result === 'tesSUCCESS' };
  }

  #enter(tx: Transaction, failHard = false): Outcome {
    const { open } = this.#ledger;
    const outcome = open.apply(tx, failHard);
    const { result, applied } = outcome;
    if (applied) this.#ledger.emit('proposed', { tx, result, ledgerIndex: open.index });
    return outcome;
  }

  /** False: it stays in the pool. */
  #enterAgain(tx: Transaction): boolean {
    const { result } = this.#enter(tx);
    if (isRetriable(result) || result.startsWith('tel')) return false;
    this.retryPool.delete(tx.hash);
    return true;
  }

  #remember(tx: Transaction, result: Result): void {
    if (isRetriable(result)) this.retryPool.hold(tx, this.#ledger.open.index);
    else if (result.startsWith('tel')) this.retryPool.keep(tx, this.#ledger.open.index);
  }

  #rememberMalformed(hash: string): void {
    if (this.#malformed.size >= MAX_MALFORMED) this.#malformed.clear();
    this.#malformed.add(hash);
  }

  /** A held transaction enters as soon as the one before it has entered. */
  #fillGap({ account }: Transaction): void {
    if (this.retryPool.size === 0) return;
    let result: Result = 'tesSUCCESS';
    while (result === 'tesSUCCESS') {
      const next = this.retryPool.takeNext(account, this.sequencesOf(account).next, this.#ledger.open.index);
      if (!next) return;
      result = this.#enter(next).result;
      this.#remember(next, result);
    }
  }

  /** Test controls: the answer is as usual, but the transaction is lost or delayed. */
  #divert(tx: Transaction, failHard: boolean): SubmissionResult | undefined {
    const { open } = this.#ledger;
    const delay = this.#dropping > 0 ? undefined : this.#delays.shift();
    if (delay !== undefined) this.retryPool.hold(tx, open.index + delay);
    else if (this.#dropping > 0) this.#dropping--;
    else return undefined;
    const { result, applied } = open.tryOut(tx, { failHard });
    return { result, applied, kept: true };
  }

  #dropRival(tx: Transaction): void {
    const rival = this.retryPool.rivalOf(tx);
    if (rival) this.retryPool.delete(rival.tx.hash);
  }

  /** Queues behind a full open ledger, or behind an earlier queued transaction of the same account. */
  #enqueue(tx: Transaction, failHard: boolean): SubmissionResult | undefined {
    const { open } = this.#ledger;
    const level = this.#levelOf(tx);
    const own = this.retryPool.queued(tx.account).length;
    const { next, available } = this.sequencesOf(tx.account);
    const isNext = tx.ticket !== undefined || tx.sequence === next;
    if (level >= this.openLevel && (own === 0 || isNext)) return undefined;
    const rival = this.retryPool.rivalOf(tx);
    if (rival?.tx.hash === tx.hash) return rejected('terQUEUED', true);
    if (rival && level <= (rival.level * TO_REPLACE) / 100n) return rejected('telCAN_NOT_QUEUE_FEE', true);
    const { result } = open.tryOut(tx, { failHard });
    const follows = result === 'terPRE_SEQ' && tx.sequence <= available;
    if (!result.startsWith('tes') && !result.startsWith('tec') && !follows) return undefined;
    if (failHard) return rejected('telCAN_NOT_QUEUE', false);
    if (!rival && (own >= MAX_OF_ACCOUNT || this.retryPool.queued().length >= this.maxQueueSize))
      return rejected('telCAN_NOT_QUEUE_FULL', true);
    this.#dropRival(tx);
    this.retryPool.hold(tx, open.index, level);
    return rejected('terQUEUED', true);
  }
}

const rejected = (result: Result, kept: boolean): SubmissionResult => ({ result, applied: false, kept });
