import type { Transaction } from './signature.ts';

/** A fee level is the paid fee relative to the base fee; 256 is the base fee itself. */
export const BASE_LEVEL = 256n;
/** Of the first place beyond the expected size of the open ledger. */
export const MEDIAN_LEVEL = 128_000n;

/** Fees and reserves in drops, as in the FeeSettings entry. */
export interface Fees {
  readonly base: bigint;
  readonly reserveBase: bigint;
  readonly reserveIncrement: bigint;
}

export const accountReserve = (fees: Fees, ownerCount: number): bigint =>
  fees.reserveBase + BigInt(ownerCount) * fees.reserveIncrement;

/** One base fee, and one more for each signature of a multi-signed transaction. In drops. */
export const defaultBaseFee = (tx: Transaction, { base }: Fees): bigint =>
  base * BigInt(1 + ((tx.json.Signers as readonly unknown[] | undefined)?.length ?? 0));
