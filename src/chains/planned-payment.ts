/** A payment for which a fee is wanted. Accounts in canonical form, and base units. */
export interface PlannedPayment {
  from: string;
  to: string;
  amount: bigint;
}
