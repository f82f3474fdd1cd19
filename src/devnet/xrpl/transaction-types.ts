/** The transaction types that this ledger offers. Every other type is answered with temDISABLED. */
export const TRANSACTION_TYPES = [
  'Payment',
  'AccountSet',
  'SetRegularKey',
  'SignerListSet',
  'DepositPreauth',
  'AccountDelete',
  'TicketCreate',
  'TrustSet',
  'OfferCreate',
  'EscrowCreate',
  'EscrowFinish',
  'EscrowCancel',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
