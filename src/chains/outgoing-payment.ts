import type { ChainAddress, Fee } from './port.ts';

/** A final transaction of one of the robot's own accounts. */
export interface OutgoingPayment {
  sequence: number;
  hash: string;
  to: ChainAddress;
  /** Base units. 0: it is no payment. */
  amount: bigint;
  fee: Fee;
  /** XRP Ledger: the InvoiceID. */
  reference?: string;
}
