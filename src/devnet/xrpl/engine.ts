import type { Clock } from '../../kernel/clock.ts';
import { canonicalOrder, reversedOrder } from './canonical-order.ts';
import { type ClosedLedger, closeLedger } from './close.ts';
import { type Entry, feeSettingsKey } from './entries.ts';
import type { Fees } from './fees.ts';
import { createGenesis, type Endowed, feesOf } from './genesis.ts';
import { epochMsAfter, type LedgerHeader } from './header.ts';
import { Intake, type Submission } from './intake.ts';
import { OpenLedger } from './open-ledger.ts';
import type { Result } from './rules/results.ts';
import type { Transaction } from './rules/transaction.ts';
import type { Storage } from './storage.ts';

export interface EngineOptions {
  readonly storage: Storage;
  readonly networkId: number;
  readonly fees: Fees;
  readonly clock: Clock;
  /** Transactions that an open ledger takes for the base fee (XRPL-4.2 terQUEUED). */
  readonly expectedLedgerSize: number;
  /** Closed ledgers that are kept; all of them without it. */
  readonly keepLedgers: number | undefined;
  /** Accounts that exist from ledger 1 on, beside the genesis account. */
  readonly endowed: Endowed | undefined;
}

export interface Proposal {
  readonly tx: Transaction;
  readonly result: Result;
  readonly ledgerIndex: number;
}

export interface EngineEvents {
  closed(ledger: ClosedLedger): void;
  /** A transaction entered the open ledger. */
  proposed(proposal: Proposal): void;
  /** Everything began again from a new genesis. */
  reset(): void;
}

/**
 * The running ledger: the last closed one, the open one above it, and what waits to get in. Everything in it is
 * synchronous, so each call sees and leaves a whole state.
 */
export class Engine {
  readonly networkId: number;
  readonly storage: Storage;
  readonly intake: Intake;
  readonly #options: EngineOptions;
  readonly #listeners = new Set<Partial<EngineEvents>>();
  closed!: LedgerHeader;
  open!: OpenLedger;
  fees!: Fees;
  /** Multiplies the least fee, as on a busy server. */
  loadFactor = 1;
  #reverseNext = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.networkId = options.networkId;
    this.storage = options.storage;
    this.intake = new Intake(this, options.expectedLedgerSize);
    this.#load();
  }

  /** Returns the way to stop listening. */
  listen(listener: Partial<EngineEvents>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit<E extends keyof EngineEvents>(event: E, ...payload: Parameters<EngineEvents[E]>): void {
    for (const listener of this.#listeners) {
      const heard = listener[event] as ((...given: typeof payload) => void) | undefined;
      heard?.(...payload);
    }
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#options.clock.now();
  }

  /** The first closed ledger that is still known. Like a real server, it never counts the genesis ledger 1. */
  get firstIndex(): number {
    return this.storage.firstIndex() ?? this.closed.index;
  }

  /** The closed ledgers that are still known, as servers write it, e.g. `2-9`. */
  get completeLedgers(): string {
    const first = this.firstIndex;
    return first === this.closed.index ? `${first}` : `${first}-${this.closed.index}`;
  }

  entry(key: string, ledgerIndex: number): Entry | undefined {
    return this.storage.entry(key, ledgerIndex);
  }

  submit(tx: Transaction, failHard = false): Submission {
    return this.intake.submit(tx, failHard);
  }

  close(): ClosedLedger {
    const submitted = [...this.open.transactions.values()];
    const reversed = this.#reverseNext;
    const closed = closeLedger(this.storage, {
      parent: this.closed,
      transactions: reversed ? reversedOrder(submitted) : canonicalOrder(submitted),
      passes: reversed ? 1 : 3,
      closedAt: this.now,
      setting: this.#setting(),
    });
    this.#reverseNext = false;
    this.closed = closed.header;
    const included = new Set(closed.transactions.map(tx => tx.hash));
    this.#openNext();
    this.emit('closed', closed);
    this.intake.refill(submitted, included);
    this.#prune();
    return closed;
  }

  /** The next close takes accounts in the reverse order of their submissions, and gives no second chance. */
  reorderNextClose(): void {
    this.#reverseNext = true;
  }

  /** Forgets closed ledgers up to and including `upTo`; the newest one always stays. */
  forgetHistory(upTo: number): void {
    const keep = Math.min(upTo + 1, this.closed.index);
    this.storage.atomically(() => this.storage.forgetBefore(keep, 1));
  }

  startOver(): void {
    const floor = this.closed.closeTime;
    this.storage.atomically(() => {
      this.storage.wipe();
      this.storage.setProperty('close-time-floor', String(floor));
    });
    this.intake.clear();
    this.#reverseNext = false;
    this.#load();
    this.emit('reset');
  }

  #load(): void {
    const last = this.storage.lastHeader();
    if (last) {
      this.closed = last;
      this.fees = feesOf(this.storage.entry(feeSettingsKey, last.index) as Entry);
    } else {
      this.fees = this.#options.fees;
      this.closed = this.#begin();
    }
    this.#openNext();
  }

  /** Ledger 1 and, as on a real server, an empty ledger 2. It differs from that of any ledger that was here before. */
  #begin(): LedgerHeader {
    return this.storage.atomically(() => {
      const floor = Number(this.storage.property('close-time-floor') ?? 0);
      const parent = createGenesis(this.storage, this.fees, this.#options.endowed);
      const closedAt = Math.max(this.now, epochMsAfter(floor));
      return closeLedger(this.storage, {
        parent,
        transactions: [],
        passes: 1,
        closedAt,
        setting: this.#setting(),
      }).header;
    });
  }

  #openNext(): void {
    const { index } = this.closed;
    this.open = new OpenLedger(index + 1, { read: key => this.storage.entry(key, index) }, this.#setting());
  }

  #setting() {
    return { fees: this.fees, minimumFee: (tx: Transaction) => this.intake.minimumFee(tx) };
  }

  #prune(): void {
    const { keepLedgers } = this.#options;
    const first = this.firstIndex;
    const keep = this.closed.index - (keepLedgers ?? Number.POSITIVE_INFINITY) + 1;
    if (keep > first) this.storage.atomically(() => this.storage.forgetBefore(keep, first));
  }
}
