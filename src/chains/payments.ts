/**
 * A node's answer to a broadcast, with its own `code` and `text`. None of it is proof of payment.
 * - accepted: it waits for a block, as far as this node is concerned
 * - already-known: the node has it, or another one with its sequence: look up every hash signed with that sequence
 * - outbid: another one with its sequence waits, and this bid is too low to replace it: look up, then bid more
 * - unclear: treat it as sent
 * - rejected: this node does not have it; `final`: no node will ever accept these bytes
 */
export type Broadcast = { code: string; text: string } & (
  | { status: 'accepted' | 'already-known' | 'outbid' | 'unclear' }
  | { status: 'rejected'; final: boolean; reason: Rejection }
);
/** What an answer means: its status, or why it is rejected. */
export type Meaning =
  | Exclude<Broadcast['status'], 'rejected'>
  | Omit<Extract<Broadcast, { status: 'rejected' }>, 'status' | 'code' | 'text'>;

export const broadcastOf = (meaning: Meaning, code: string, text: string): Broadcast =>
  typeof meaning === 'string' ? { status: meaning, code, text } : { status: 'rejected', ...meaning, code, text };

type Rejection =
  | 'fee-too-low'
  | 'fee-too-high'
  | 'funds'
  | 'sequence-gap'
  | 'expired'
  | 'busy'
  | 'refused'
  | 'malformed';

/** A payment for which a fee is wanted. Accounts in canonical form, and base units. */
export interface PlannedPayment {
  from: string;
  to: string;
  amount: bigint;
}

/** The numbers (nonce, Sequence) of an account, as one node sees them. */
export interface Numbers {
  /** The next unused one, transactions that wait included. */
  next: number;
  /** Every number below it is used by a final transaction. Another transaction with such a number is void. */
  finalized: number;
  /** The last final block: every number in a block up to this one is below `finalized`. */
  height: number;
}

/** A part of the final transactions of an account. */
export interface Outgoing {
  /** In the order of their numbers. */
  payments: OutgoingPayment[];
  /** The last block that was read: none up to it is missing. */
  upTo: number;
  /** XRP Ledger: the number with which the account began in these ledgers. */
  begins?: number;
}

/** A final transaction of one of the robot's own accounts. */
export interface OutgoingPayment {
  sequence: number;
  /** The number after those that it has used. */
  next: number;
  hash: string;
  to: { account: string; tag?: number };
  /** Base units. 0: it is no payment. */
  amount: bigint;
  fee: Readonly<Record<string, string>>;
  /** XRP Ledger: the InvoiceID. */
  reference?: string;
}

/** A change of an account's balance by a transaction itself, not by the calls inside it. */
export interface Movement {
  txHash: string;
  account: string;
  height: number;
  /** Base units; negative: the account paid the amount and the fee. */
  amount: bigint;
}

/** A form of address that other programs use. Messages do not (D-08), but the robot can say what to send instead. */
export interface AddressForm {
  /** As in a sentence: `a CAIP-10 account`. */
  name: string;
  /** The address as messages write it. */
  address: string;
}

/** D-48: the recipient does not take this payment, or needs more gas for it than a payout may have. */
export class NotPayable extends Error {
  override readonly name = 'NotPayable';
}

/** The data of a payment by which an embedded chain gives the robot money. */
export const OWN_FUNDING = `0x${Buffer.from('robot-vasp: money of the robot for amounts and fees').toString('hex')}`;
/** `via` of a transfer of the robot's own money: it is no deposit. */
export const OWN_MONEY = 'own money';
