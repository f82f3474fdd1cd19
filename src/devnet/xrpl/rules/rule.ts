import type { AccountRoot } from '../entries.ts';
import type { Fees } from '../fees.ts';
import type { LedgerView, ReadView } from '../ledger-view.ts';
import type { Result } from './results.ts';
import type { Transaction } from './transaction.ts';

export type Presence = 'required' | 'optional';

/** Where a transaction is being applied. */
export interface Setting {
  /** Index of the ledger that is being built. */
  readonly ledgerIndex: number;
  /** The open ledger asks for the going fee; a closing one takes what was offered. */
  readonly open: boolean;
  /** A tec is not taken yet: a later pass may find it succeeding. */
  readonly retry: boolean;
  /** `fail_hard`: a tec must not be applied. */
  readonly failHard: boolean;
  readonly fees: Fees;
  /** Least fee in drops for a place in the open ledger, before escalation. */
  readonly minimumFee: (tx: Transaction) => bigint;
}

export interface Application {
  readonly tx: Transaction;
  readonly setting: Setting;
  readonly view: LedgerView;
  /** Balance of the source before its fee was taken: reserves are measured against it. */
  readonly priorBalance: bigint;
  /** The source as it stands now; it exists. */
  source(): AccountRoot;
}

/** One transaction type: what stands in it, and its own part of each stage (XRPL-4.1). */
export interface TransactionRule {
  readonly fields: Readonly<Record<string, Presence>>;
  /** Type-specific flag bits that may be set. */
  readonly flags: number;
  /** From the transaction alone. */
  preflight?(tx: Transaction): Result;
  /** Against the ledger; a tec here costs the fee. */
  preclaim?(tx: Transaction, view: ReadView, setting: Setting): Result;
  apply(application: Application): Result;
}
