import { ACCOUNT_FLAGS } from '../definitions.ts';
import type { AccountRoot } from '../entries.ts';
import { accountReserve, type Fees } from '../fees.ts';
import type { LedgerView, ReadView } from '../ledger-view.ts';
import type { Amount } from '../quantities.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';

/** The ledger that is being built, and how strict it is. */
export interface Payee {
  readonly account: string;
  readonly tag?: number | undefined;
}

export interface ApplyOptions {
  /** Index of the ledger that is being built. */
  readonly ledgerIndex: number;
  /** Close time of the ledger before. Expirations are compared with it. */
  readonly parentCloseTime: number;
  /** The open ledger checks the minimum fee. A closing ledger does not. */
  readonly open: boolean;
  /** A tec result is not applied yet: a later pass may succeed. */
  readonly retry: boolean;
  /** `fail_hard`: a tec result is never applied. */
  readonly failHard: boolean;
  readonly fees: Fees;
  /** Multiplies the minimum fee, as on a busy server. */
  readonly loadFactor: number;
  /** Payments of XRP to this account fail, as if its DepositAuth had been set a moment before. */
  readonly refusing?: Payee | undefined;
  /** `simulate`: signatures are not checked, so an empty SigningPubKey is allowed. */
  readonly dryRun?: boolean;
}

/** One transaction on its way into one ledger. */
export interface ApplyContext<Type = unknown> extends ApplyOptions {
  readonly tx: Transaction<Type>;
  readonly view: LedgerView;
  /** Balance of the source in drops before its fee was paid. Reserves are checked against it. */
  readonly priorBalance: bigint;
  /** Records the delivered amount for the metadata. */
  deliver(amount: Amount): void;
}

/** One transaction type: its own part of each stage (XRPL-4.1). Its fields and flags are those of the codec. */
export interface Transactor<Type = unknown> {
  /** Base fee in drops, where it is not the usual one. */
  baseFee?(tx: Transaction<Type>, view: ReadView, fees: Fees): bigint;
  /** Looks only at the transaction. */
  preflight?(tx: Transaction<Type>): Failure;
  /** Looks at the ledger. A tec result costs the fee. */
  preclaim?(context: ApplyContext<Type>): Failure;
  /** Changes `context.view`. */
  apply(context: ApplyContext<Type>): Failure;
}

/** The account that sent the transaction. It exists once preclaim has begun. */
export const sourceAccount = ({ tx, view }: ApplyContext): AccountRoot => view.requireAccount(tx.account);

/** The source had the reserve for this number of further entries. */
export const canOwn = (context: ApplyContext, more = 1): boolean =>
  context.priorBalance >= accountReserve(context.fees, sourceAccount(context).OwnerCount + more);

export const has = ({ flags }: Transaction, bit: number): boolean => (flags & bit) !== 0;

export const lacksTag = ({ json }: Transaction, { Flags }: AccountRoot): boolean =>
  (Flags & ACCOUNT_FLAGS.lsfRequireDestTag) !== 0 && json.DestinationTag === undefined;

/** XRP that arrives allows its receiver another free reset of the regular key. */
export const receiveXrp = (view: LedgerView, to: AccountRoot, drops: bigint): void =>
  view.addXrp({ ...to, Flags: (to.Flags & ~ACCOUNT_FLAGS.lsfPasswordSpent) >>> 0 }, drops);
