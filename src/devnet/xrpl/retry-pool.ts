import { LedgerView, type ReadView } from './entries.ts';
import { fromHex, updateTree } from './hash-tree.ts';
import { requireAccountId, type Transaction } from './signature.ts';
import { applyTransaction, type Outcome } from './transactors/apply.ts';
import type { ApplyOptions } from './transactors/transactor.ts';

/**
 * The order in which a closing ledger applies its transactions (XRPL-4.3). Accounts are sorted by their id, scrambled with
 * the hash of the whole set, so that nobody can choose a place. Within an account Sequences ascend and tickets come last.
 */
export function canonicalOrder(transactions: readonly Transaction[]): Transaction[] {
  const leaves = transactions.map(tx => ({ key: tx.hash, hash: fromHex(tx.hash) }));
  const salt = fromHex(updateTree(new Map(), leaves));
  const places = new Map<string, Buffer>();
  for (const { account } of transactions) if (!places.has(account)) places.set(account, scrambled(account, salt));
  return [...transactions].sort((a, b) => {
    const byAccount = Buffer.compare(places.get(a.account) as Buffer, places.get(b.account) as Buffer);
    return byAccount || compareWithinAccount(a, b);
  });
}

/** The last account to submit comes first, so that results differ from the provisional ones. For tests. */
export function reversedOrder(transactions: readonly Transaction[]): Transaction[] {
  const places = new Map<string, number>();
  for (const { account } of transactions) if (!places.has(account)) places.set(account, places.size);
  const place = (tx: Transaction): number => places.get(tx.account) ?? 0;
  return [...transactions].sort((a, b) => place(b) - place(a) || compareWithinAccount(a, b));
}

function scrambled(account: string, salt: Buffer): Buffer {
  const place = Buffer.from(salt);
  requireAccountId(account).forEach((byte, i) => {
    place[i] = byte ^ (salt[i] ?? 0);
  });
  return place;
}

export function compareWithinAccount(a: Transaction, b: Transaction): number {
  if ((a.ticket === undefined) !== (b.ticket === undefined)) return a.ticket === undefined ? -1 : 1;
  return (a.ticket ?? a.sequence) - (b.ticket ?? b.sequence) || (a.hash < b.hash ? -1 : 1);
}

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
  readonly level?: bigint | undefined;
}
export type Queued = Waiting & { readonly level: bigint };

const isQueued = (waiting: Waiting): waiting is Queued => waiting.level !== undefined;

/**
 * Transactions, by their hash, that may not enter the open ledger now and are tried again at every close (XRPL-4.1). The
 * oldest one makes place for a new one.
 */
export class RetryPool extends Map<string, Waiting> {
  /** For a ter result, for a delay until the ledger `from`, and with a `level` for terQUEUED: until the LastLedgerSequence has passed. */
  hold(tx: Transaction, from: number, level?: bigint): void {
    this.#add({ tx, from, until: tx.lastLedger ?? from + HELD_LEDGERS, level });
  }

  /** For any other result: a few closes. */
  keep(tx: Transaction, openIndex: number): void {
    const until = Math.min(tx.lastLedger ?? Number.POSITIVE_INFINITY, openIndex + KEPT_LEDGERS);
    this.#add({ tx, from: openIndex, until });
  }

  /** Those that wait for a cheaper place, in no order. */
  queued(account?: string): Queued[] {
    if (this.size === 0) return [];
    const all = [...this.values()].filter(isQueued);
    return account === undefined ? all : all.filter(({ tx }) => tx.account === account);
  }

  /** The queued transaction that has the Sequence or the ticket of this one. */
  rivalOf({ account, sequence, ticket }: Transaction): Queued | undefined {
    return this.queued(account).find(({ tx }) => tx.sequence === sequence && tx.ticket === ticket);
  }

  /** Removes and returns the transaction of this account and Sequence that may be tried in the ledger `openIndex`. */
  takeNext(account: string, sequence: number, openIndex: number): Transaction | undefined {
    for (const { tx, from, level } of this.values()) {
      const isOfNumber = tx.account === account && tx.ticket === undefined && tx.sequence === sequence;
      if (!isOfNumber || from > openIndex || level !== undefined) continue;
      this.delete(tx.hash);
      return tx;
    }
    return undefined;
  }

  /** What may be tried in the ledger `openIndex`, whatever a place costs. Expired transactions are dropped. */
  held(openIndex: number): Transaction[] {
    for (const { tx, until } of this.values()) if (until < openIndex) this.delete(tx.hash);
    return [...this.values()]
      .filter(waiting => waiting.from <= openIndex && !isQueued(waiting))
      .map(({ tx }) => tx)
      .sort(compareWithinAccount);
  }

  #add(waiting: Waiting): void {
    if (this.has(waiting.tx.hash)) return;
    const [oldest] = this.size >= LIMIT ? this.keys() : [];
    if (oldest) this.delete(oldest);
    this.set(waiting.tx.hash, waiting);
  }
}

/** The order in which the queue enters: the highest fee level first. */
export const byLevel = (a: Queued, b: Queued): number => Number(b.level - a.level) || compareWithinAccount(a.tx, b.tx);

type OpenOptions = Pick<ApplyOptions, 'fees' | 'loadFactor' | 'parentCloseTime'>;

export type OpenLedger = ReturnType<typeof openLedger>;

/** The ledger that takes submissions, in the order of arrival. Its results are provisional: the close may decide otherwise. */
export function openLedger(index: number, closed: ReadView, options: () => OpenOptions) {
  const view = new LedgerView(closed);
  const transactions = new Map<string, Transaction>();
  const applied = (tx: Transaction, target: LedgerView, failHard: boolean, dryRun = false): Outcome =>
    applyTransaction(tx, target, { ...options(), ledgerIndex: index, open: true, retry: false, failHard, dryRun });
  return {
    index,
    view,
    transactions,
    apply(tx: Transaction, failHard = false): Outcome {
      const outcome = applied(tx, view, failHard);
      if (outcome.applied) transactions.set(tx.hash, tx);
      return outcome;
    },
    /** The outcome of `apply`, without its effect. */
    tryOut: (tx: Transaction, { failHard = false, dryRun = false } = {}): Outcome =>
      applied(tx, new LedgerView(view), failHard, dryRun),
  };
}
