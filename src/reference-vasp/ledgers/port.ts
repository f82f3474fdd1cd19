import type { AssetSymbol } from '../../contract/assets.ts';
import type { TransactionStatus } from '../../contract/verification.ts';

/** A signed payment. The bytes are stored before they are sent, and only the same bytes are ever sent again. */
export interface Signed {
  readonly hash: string;
  readonly bytes: string;
}

/** One payment inside a transaction. `to` has the form of an account number: `0x…`, `r…`, `r…:tag`. */
export interface Payment {
  readonly index: number;
  readonly to: string;
  readonly units: bigint;
  /** Of the block or ledger that holds it. */
  readonly height: number;
}

/** The ledger refuses the payment for certain, so nothing was sent. */
export class CannotPay extends Error {
  override readonly name = 'CannotPay';
}

/** The VASP's own client of one ledger. Every call throws when the ledger does not answer. */
export interface Ledger {
  readonly symbol: AssetSymbol;
  accountOf(customer: number): string;
  /** In units. 0: the account does not exist yet. */
  balanceOf(customer: number): Promise<bigint>;
  /** The height of the newest block or validated ledger. */
  head(): Promise<number>;
  /** Signs a payment from the account of a customer. Sends nothing. Throws `CannotPay`. */
  sign(customer: number, to: string, units: bigint): Promise<Signed>;
  /** One writer: two payments never take the same number. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Safe to repeat. */
  send(signed: Signed): Promise<void>;
  statusOf(signed: Signed): Promise<TransactionStatus>;
  /** The payments of a final transaction. Undefined: it is not final, or nobody knows it. */
  paymentsOf(hash: string): Promise<readonly Payment[] | undefined>;
  close(): Promise<void>;
}
