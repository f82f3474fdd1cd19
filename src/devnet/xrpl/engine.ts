import { EventEmitter } from 'node:events';
import type { Clock } from '../../kernel/clock.ts';
import { type ClosedLedger, closeLedger, viewOf } from './close.ts';
import { type Entry, type Fees, feeSettingsKey } from './entries.ts';
import { createGenesis, type Endowed, feesOf } from './genesis.ts';
import { epochMsAfter, type LedgerHeader } from './hash-tree.ts';
import { parseTransaction } from './parse-transaction.ts';
import { canonicalOrder, type OpenLedger, openLedger, reversedOrder } from './retry-pool.ts';
import type { Transaction } from './signature.ts';
import type { Storage } from './storage.ts';
import { type Proposal, type SubmissionResult, Submissions } from './submission.ts';
import type { Payee } from './transactors/transactor.ts';

export interface EngineOptions {
  /** Above 1024 every transaction must carry it as NetworkID. */
  networkId: number;
  fees: Fees;
  clock: Clock;
  /** Transactions per ledger at the base fee (XRPL-4.2, terQUEUED). 1000 by default, as on a real server. */
  expectedLedgerSize?: number;
  /** Closed ledgers to keep; undefined: all of them. */
  keepLedgers?: number;
  /** Accounts in ledger 1 besides the genesis account. An existing database is not changed. */
  endowed?: Endowed;
}

/** The running ledger: the last closed ledger, the open one above it, and the submissions. Every call is synchronous. */
export class Engine extends EventEmitter<{ closed: [ClosedLedger]; proposed: [Proposal]; reset: [] }> {
  readonly networkId: number;
  readonly storage: Storage;
  readonly submissions: Submissions;
  readonly #options: EngineOptions;
  readonly #bank: string | undefined;
  closed!: LedgerHeader;
  open!: OpenLedger;
  fees!: Fees;
  /** Multiplies the minimum fee, as on a busy server. */
  loadFactor = 1;
  /** Ledgers closed since the last submission or the start. */
  ledgersSinceSubmission = 0;
  #reverseNext = false;

  /** `bank`: owns every other coin. Default: the genesis account. */
  constructor(storage: Storage, options: EngineOptions, bank?: string) {
    super();
    // One for each payment of the faucet.
    this.setMaxListeners(0);
    this.#options = options;
    this.#bank = bank;
    this.networkId = options.networkId;
    this.storage = storage;
    this.submissions = new Submissions(this, options.expectedLedgerSize ?? 1_000);
    this.#load();
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#options.clock.now();
  }

  /** The first closed ledger of the history. As on a real server it is never the genesis ledger 1. */
  get firstIndex(): number {
    return this.storage.firstIndex() ?? this.closed.index;
  }

  /** The range of the history as servers write it, e.g. `2-9`. */
  get completeLedgers(): string {
    const first = this.firstIndex;
    return first === this.closed.index ? `${first}` : `${first}-${this.closed.index}`;
  }

  /** Of a ledger of the history. Throws if it is not there. */
  headerOf(ledgerIndex: number): LedgerHeader {
    const header = this.storage.header(ledgerIndex);
    if (!header) throw new Error(`ledger ${ledgerIndex} is missing`);
    return header;
  }

  /** What is accepted is stored before anybody is told. */
  submit(tx: Transaction, failHard = false): SubmissionResult {
    this.ledgersSinceSubmission = 0;
    this.storage.addWaiting(tx.hash, tx.blob);
    const submitted = this.submissions.submit(tx, failHard);
    this.#forgetUnlessWaiting(tx.hash);
    return submitted;
  }

  close(refusing?: Payee): ClosedLedger {
    const submitted = [...this.open.transactions.values()];
    const reversed = this.#reverseNext;
    const closed = closeLedger(this.storage, {
      parent: this.closed,
      transactions: reversed ? reversedOrder(submitted) : canonicalOrder(submitted),
      passes: reversed ? 1 : 3,
      closedAt: this.now,
      options: { ...this.#applyOptions(), refusing },
    });
    this.#reverseNext = false;
    this.ledgersSinceSubmission += 1;
    this.closed = closed.header;
    const included = new Set(closed.transactions.map(tx => tx.hash));
    this.#openNext();
    this.emit('closed', closed);
    this.submissions.refill(submitted, included);
    for (const hash of this.storage.waitingHashes()) this.#forgetUnlessWaiting(hash);
    this.#prune();
    return closed;
  }

  /** The next close applies accounts in the reverse order of their submissions, in a single pass. */
  reorderNextClose(): void {
    this.#reverseNext = true;
  }

  /** The controls that are on or wait, `hold` aside. */
  get activeControls(): string[] {
    return [
      ...this.submissions.waiting,
      ...(this.#reverseNext ? ['reorder'] : []),
      ...(this.loadFactor === 1 ? [] : [`load-factor ${this.loadFactor}`]),
    ];
  }

  /** Deletes closed ledgers up to and including `upTo`. The newest one always stays. */
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
    this.submissions.clear();
    this.#reverseNext = false;
    this.#load();
    this.emit('reset');
  }

  #load(): void {
    this.ledgersSinceSubmission = 0;
    const last = this.storage.lastHeader();
    if (last) {
      this.closed = last;
      this.fees = feesOf(this.storage.entry(feeSettingsKey, last.index) as Entry);
    } else {
      this.fees = this.#options.fees;
      this.closed = this.#begin();
    }
    this.#openNext();
    for (const blob of this.storage.waitingBlobs()) this.submissions.submit(parseTransaction(blob), false);
  }

  /** Ledger 1 and, as on a real server, an empty ledger 2 with a close time later than before any reset. */
  #begin(): LedgerHeader {
    return this.storage.atomically(() => {
      const floor = Number(this.storage.property('close-time-floor') ?? 0);
      const parent = createGenesis(this.storage, this.fees, this.#options.endowed, this.#bank);
      const closedAt = Math.max(this.now, epochMsAfter(floor));
      return closeLedger(this.storage, { parent, transactions: [], passes: 1, closedAt, options: this.#applyOptions() })
        .header;
    });
  }

  #openNext(): void {
    const { index } = this.closed;
    this.open = openLedger(index + 1, viewOf(this.storage, index), () => ({
      ...this.#applyOptions(),
      parentCloseTime: this.closed.closeTime,
    }));
  }

  #forgetUnlessWaiting(hash: string): void {
    if (!this.submissions.find(hash)) this.storage.removeWaiting(hash);
  }

  #applyOptions() {
    return { fees: this.fees, loadFactor: this.loadFactor };
  }

  #prune(): void {
    const { keepLedgers } = this.#options;
    const first = this.firstIndex;
    const keep = this.closed.index - (keepLedgers ?? Number.POSITIVE_INFINITY) + 1;
    if (keep > first) this.storage.atomically(() => this.storage.forgetBefore(keep, first));
  }
}
