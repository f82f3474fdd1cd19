/** A final transaction of one of the robot's own accounts. */
export interface OutgoingPayment {
  sequence: number;
  hash: string;
  to: { account: string; tag?: number };
  /** Base units. 0: it is no payment. */
  amount: bigint;
  fee: Readonly<Record<string, string>>;
  /** XRP Ledger: the InvoiceID. */
  reference?: string;
}
