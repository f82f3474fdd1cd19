import type { Engine } from './engine.ts';
import { BASE_LEVEL, FeeQueue } from './fee-queue.ts';
import { PendingTransactions } from './pending.ts';
import { preflight } from './rules/preflight.ts';
import { isRetriable, isTem, type Result } from './rules/results.ts';
import type { Transaction } from './rules/transaction.ts';

export interface Submission {
  readonly result: Result;
  /** It is in the open ledger (tes or tec). */
  readonly applied: boolean;
  readonly broadcast: boolean;
  readonly queued: boolean;
  readonly kept: boolean;
}

const BAD_HASHES = 10_000;
const REJECTED: Submission = {
  result: 'temBAD_SIGNATURE',
  applied: false,
  broadcast: false,
  queued: false,
  kept: false,
};

/** The way into the open ledger: at once, from the queue, or after having been held (XRPL-4.1). */
export class Intake {
  readonly pending = new PendingTransactions();
  readonly queue: FeeQueue;
  readonly #engine: Engine;
  /** Found malformed once: a second submission gets no further than that. */
  readonly #bad = new Set<string>();
  #dropping = 0;
  #delays: number[] = [];
  #delayed: { tx: Transaction; from: number }[] = [];

  constructor(engine: Engine, expectedLedgerSize: number) {
    this.#engine = engine;
    this.queue = new FeeQueue(expectedLedgerSize);
  }

  submit(tx: Transaction, failHard: boolean): Submission {
    if (this.#bad.has(tx.hash)) return REJECTED;
    const unfit = preflight(tx, this.#engine.networkId);
    if (unfit !== 'tesSUCCESS') {
      if (isTem(unfit)) this.#rememberBad(tx.hash);
      return refused(unfit, failHard);
    }
    return this.#divert(tx, failHard) ?? this.#enqueue(tx, failHard) ?? this.#apply(tx, failHard);
  }

  /** Tries again, in a fresh open ledger, whatever the last close left: first what was in it, then what waits. */
  refill(submitted: readonly Transaction[], included: ReadonlySet<string>): void {
    const { open, fees } = this.#engine;
    const levels = submitted.filter(tx => included.has(tx.hash)).map(tx => levelOf(tx, fees.base));
    this.queue.learn(levels);
    for (const tx of submitted) if (!included.has(tx.hash)) this.pending.keep(tx, open.index);
    for (const { tx } of this.#delayed.filter(({ from }) => from <= open.index))
      this.pending.hold(tx, open.index);
    this.#delayed = this.#delayed.filter(({ from }) => from > open.index);
    for (const entry of this.pending.takeAll(open.index)) {
      const result = this.#enter(entry.tx);
      if (isRetriable(result) || result.startsWith('tel')) this.pending.putBack(entry);
    }
    this.#drainQueue();
  }

  /** What a transaction must pay at least, in drops. */
  minimumFee(tx: Transaction): bigint {
    const signers = (tx.json.Signers as readonly unknown[] | undefined)?.length ?? 0;
    return this.#engine.fees.base * BigInt(1 + signers) * BigInt(this.#engine.loadFactor);
  }

  /** What the next place in the open ledger costs, as a level and in drops. */
  get openLevel(): bigint {
    return this.queue.requiredLevel(this.#engine.open.transactions.size);
  }

  get openFee(): bigint {
    const { fees, loadFactor } = this.#engine;
    const escalated = (this.openLevel * fees.base + BASE_LEVEL - 1n) / BASE_LEVEL;
    const least = fees.base * BigInt(loadFactor);
    return escalated > least ? escalated : least;
  }

  /** How many times the base fee a client should pay now. */
  get feeFactor(): number {
    return Math.max(this.#engine.loadFactor, Number(this.openLevel) / Number(BASE_LEVEL));
  }

  /** The account's next Sequence in the open ledger, and the next one that nothing in the queue will use. */
  sequencesOf(account: string): { next: number; available: number } {
    const next = this.#engine.open.view.account(account)?.Sequence ?? 0;
    let available = next;
    for (const { tx } of this.queue.of(account)) if (tx.sequence === available) available++;
    return { next, available };
  }

  find(hash: string): Transaction | undefined {
    const delayed = this.#delayed.find(({ tx }) => tx.hash === hash)?.tx;
    return (
      this.#engine.open.transactions.get(hash) ?? this.queue.get(hash) ?? this.pending.get(hash) ?? delayed
    );
  }

  dropNext(): void {
    this.#dropping++;
  }

  delayNext(closes: number): void {
    this.#delays.push(closes);
  }

  clear(): void {
    this.pending.clear();
    this.queue.clear();
    this.#bad.clear();
    this.#dropping = 0;
    this.#delays = [];
    this.#delayed = [];
  }

  #apply(tx: Transaction, failHard: boolean): Submission {
    const { open } = this.#engine;
    const { result, applied } = open.apply(tx, failHard);
    if (applied) this.#engine.emit('proposed', { tx, result, ledgerIndex: open.index });
    else if (isTem(result)) this.#rememberBad(tx.hash);
    else if (!failHard) this.#remember(tx, result);
    if (result === 'tesSUCCESS') this.#fillGap(tx);
    return { result, applied, broadcast: applied, queued: false, kept: !failHard || result === 'tesSUCCESS' };
  }

  #enter(tx: Transaction): Result {
    const { open } = this.#engine;
    const { result, applied } = open.apply(tx);
    if (applied) this.#engine.emit('proposed', { tx, result, ledgerIndex: open.index });
    return result;
  }

  #remember(tx: Transaction, result: Result): void {
    if (isRetriable(result)) this.pending.hold(tx, this.#engine.open.index);
    else if (result.startsWith('tel')) this.pending.keep(tx, this.#engine.open.index);
  }

  #rememberBad(hash: string): void {
    if (this.#bad.size >= BAD_HASHES) this.#bad.clear();
    this.#bad.add(hash);
  }

  /** A held transaction enters as soon as the one before it has. */
  #fillGap({ account }: Transaction): void {
    if (this.pending.size === 0) return;
    let result: Result = 'tesSUCCESS';
    while (result === 'tesSUCCESS') {
      const next = this.pending.takeNext(account, this.sequencesOf(account).next);
      if (!next) return;
      result = this.#enter(next);
      this.#remember(next, result);
    }
  }

  /** Knobs: the server says what it would have said, and the transaction gets lost or is late. */
  #divert(tx: Transaction, failHard: boolean): Submission | undefined {
    const dropped = this.#dropping > 0;
    const delay = dropped ? undefined : this.#delays.shift();
    if (!dropped && delay === undefined) return undefined;
    if (dropped) this.#dropping--;
    else this.#delayed.push({ tx, from: this.#engine.open.index + (delay ?? 0) });
    const { result, applied } = this.#engine.open.tryOut(tx, failHard);
    return { result, applied, broadcast: applied, queued: false, kept: true };
  }

  /** Behind a full open ledger, or behind an earlier one of the same account that is queued already. */
  #enqueue(tx: Transaction, failHard: boolean): Submission | undefined {
    const { open, fees } = this.#engine;
    const level = levelOf(tx, fees.base);
    const behindOwn = this.queue.of(tx.account).length > 0;
    if (!behindOwn && level >= this.openLevel) return undefined;
    const { result } = open.tryOut(tx, failHard);
    const follows = result === 'terPRE_SEQ' && tx.sequence <= this.sequencesOf(tx.account).available;
    if (!result.startsWith('tes') && !result.startsWith('tec') && !follows) return undefined;
    const queued = failHard ? 'telCAN_NOT_QUEUE' : this.queue.add(tx, level, open.index);
    if (queued !== 'terQUEUED') return refused(queued, failHard);
    return { result: queued, applied: false, broadcast: true, queued: true, kept: true };
  }

  /** As long as one enters, another one behind it may. */
  #drainQueue(): void {
    let entered = this.queue.size > 0;
    while (entered) {
      entered = false;
      for (const { tx, level } of this.queue.candidates(this.#engine.open.index)) {
        if (level < this.openLevel) continue;
        const result = this.#enter(tx);
        if (isRetriable(result)) continue;
        this.queue.remove(tx.hash);
        entered = true;
      }
    }
  }
}

const levelOf = (tx: Transaction, base: bigint): bigint =>
  ((tx.fee ?? 0n) * BASE_LEVEL) / (base > 0n ? base : 1n);

const refused = (result: Result, failHard: boolean): Submission => ({
  result,
  applied: false,
  broadcast: false,
  queued: false,
  kept: !failHard,
});
