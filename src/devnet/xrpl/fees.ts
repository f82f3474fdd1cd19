/** Fees and reserves in drops, as in the FeeSettings entry. */
export interface Fees {
  readonly base: bigint;
  readonly reserveBase: bigint;
  readonly reserveIncrement: bigint;
}

export const accountReserve = (fees: Fees, ownerCount: number): bigint =>
  fees.reserveBase + BigInt(ownerCount) * fees.reserveIncrement;
