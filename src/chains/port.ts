import type { AssetSymbol } from '../contract/assets.ts';

/**
 * One blockchain, as the robot uses it. An adapter reads and sends; it decides nothing and stores nothing:
 * what must survive (cursor, signed bytes, hashes) is handed to the caller, who commits it.
 */
export interface Chain extends Sending {
  readonly symbol: AssetSymbol;
  /** Name of the network as shown to people, e.g. `Ethereum (embedded)`. */
  readonly label: string;
  /** Chain id (Ethereum) or network id (XRP Ledger), known once `connect` has succeeded. */
  readonly networkId: number;

  /** Reaches the node and checks who it is. Repeatable. Throws `ChainUnreachable` or `ChainRefused`. */
  connect(): Promise<void>;
  /** The newest block or validated ledger. Throws `ChainUnreachable`. */
  head(): Promise<Head>;
  /** Hash of the first block or ledger that the node still tells apart: a testnet reset changes it. */
  genesis(): Promise<string>;

  /** An address as people and messages write it (`0x…`, `r…`, `r…:tag`) -> its parts; undefined when it is none. D-08 */
  parseAddress(text: string): ChainAddress | undefined;
  /** The robot's own account number `index`. On the XRP Ledger there is one account, whatever the index. */
  ownAccount(index: number): string;

  /**
   * Incoming transfers to `accounts` after `cursor` (null: start at the head), at most a bounded step further.
   * The returned cursor stands after what was read without a gap. When the cursor's block was reorganised away, a
   * window before it is read again, so a transfer may be reported twice: its key makes that harmless.
   * Throws `ChainUnreachable`, `ChainReset`.
   */
  incoming(cursor: Cursor | null, accounts: ReadonlySet<string>): Promise<IncomingPage>;
  /**
   * Where a transaction stands now. Never throws for an unknown hash. With the `validity` that `sign` answered it can
   * also be `expired`: it stands nowhere and never will. Throws `ChainUnreachable`.
   */
  stateOf(txHash: string, validity?: Validity): Promise<TransactionState>;

  /** Calls back whenever the head may have moved. A hint that wakes a reader, never a source of truth. */
  onHead(wake: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Sending, in steps between which the caller commits: reserve a number, quote, sign, store, broadcast, follow. Only
 * bytes that `sign` answered are ever sent, and sending them again is harmless.
 */
export interface Sending {
  /** Throws `ChainUnreachable`. */
  balanceOf(account: string): Promise<Balance>;
  /** The next unused number (nonce, Sequence) as the network sees it, transactions that wait included. */
  nextSequence(account: string): Promise<number>;
  /** All numbers below this one belong to transactions that are final: who holds one that is not among them is late. */
  finalizedSequence(account: string): Promise<number>;
  /**
   * Hash of the final transaction that has this number, as proof of who used it. Undefined: nothing is proven, whatever
   * `finalizedSequence` says: behind one address may stand several nodes, and one of them may lag. `expired` is the proof
   * on the XRP Ledger.
   */
  findTransactionByNonce(account: string, sequence: number): Promise<string | undefined>;
  /**
   * What to bid now for a transfer to `account`; with `replaced`, the bid of one that is stuck, enough more to replace
   * it. Throws `FeeTooHigh` above the configured cap: wait, or keep what was sent.
   */
  quoteFee(account: string, replaced?: Fee): Promise<Fee>;
  /** The most that a bid can cost, in base units. */
  costOf(fee: Fee): bigint;
  /** Sends nothing. The same order within the same validity gives the same bytes. */
  sign(order: TransferOrder): Promise<SignedTransfer>;
  /** Never throws `ChainUnreachable`: an answer that did not come is `unclear`. Throws `ChainRefused`, nothing sent then. */
  broadcast(bytes: string): Promise<Broadcast>;
}

export interface Balance {
  total: bigint;
  /** Without what the network keeps back (the reserve of the XRP Ledger). Fees come out of it. */
  spendable: bigint;
}

/** Parts of a bid, as decimal text. The adapter's own; to be stored and handed back. */
export type Fee = Readonly<Record<string, string>>;

export interface TransferOrder {
  /** Index of the robot's own account that pays. */
  from: number;
  to: ChainAddress;
  /** Base units. */
  amount: bigint;
  /** The reserved sequence number: nonce (Ethereum) or Sequence (XRP Ledger). */
  sequence: number;
  fee: Fee;
  /** XRP Ledger: where a return payment belongs. */
  sourceTag?: number;
}

/** To be stored before anything is broadcast. */
export interface SignedTransfer {
  bytes: string;
  hash: string;
  /** XRP Ledger. Undefined: it can get into a block for ever. */
  validity?: Validity;
}

/** It can stand only in ledgers after `signedAfter`, up to and including `lastLedgerSequence`. */
export interface Validity {
  signedAfter: number;
  lastLedgerSequence: number;
}

/**
 * What a node said to a broadcast, in its own `code` and `text`. None of it is proof of payment.
 * - accepted: it waits for a block, as far as this node is concerned
 * - already-known: the node has it, or something with its number: look up every hash that was signed with the number
 * - outbid: another one with its number waits, and this bid does not replace it: look up, then bid more
 * - unclear: take it as sent
 * - rejected: this node does not have it; `final`: no node will ever take these bytes
 */
export type Broadcast = { code: string; text: string } & (
  | { status: 'accepted' | 'already-known' | 'outbid' | 'unclear' }
  | { status: 'rejected'; final: boolean; reason: Rejection }
);
export type Rejection =
  | 'fee-too-low'
  | 'fee-too-high'
  | 'funds'
  | 'sequence-gap'
  | 'expired'
  | 'busy'
  | 'refused'
  | 'malformed';

/** `account` is in the chain's canonical form: lower-case for Ethereum, exact for the XRP Ledger. */
export interface ChainAddress {
  account: string;
  tag?: number;
}

export interface Head {
  height: number;
  hash: string;
  /** Epoch milliseconds of the block. */
  at: number;
}

/** Where a reader stands: everything up to and including this block was read. */
export interface Cursor {
  height: number;
  hash: string;
  genesis: string;
}

export interface IncomingTransfer {
  txHash: string;
  /** Index inside the transaction; 0 where a transaction pays once. Key of a transfer: (chain, txHash, index). */
  index: number;
  from: string;
  to: ChainAddress;
  /** Base units that were delivered. */
  amount: bigint;
  height: number;
  blockHash: string;
  /** Epoch milliseconds of the block. */
  at: number;
  /** Reached finality (the configured confirmations; validated). Otherwise follow it with `stateOf`. */
  final: boolean;
}

export interface IncomingPage {
  transfers: IncomingTransfer[];
  cursor: Cursor;
  /** The head was reached; false: call again at once. */
  caughtUp: boolean;
}

export type TransactionState =
  | { status: 'unknown' }
  | { status: 'pending' }
  | { status: 'expired' }
  | { status: 'included' | 'final'; height: number; blockHash: string; succeeded: boolean };

/** The node cannot be reached now, or answered nonsense: wait and try again. */
export class ChainUnreachable extends Error {
  override readonly name = 'ChainUnreachable';
}
/** The node is not the network that was configured, or a main network. */
export class ChainRefused extends Error {
  override readonly name = 'ChainRefused';
}
/** The network started over: another genesis, or a head behind the cursor. */
export class ChainReset extends Error {
  override readonly name = 'ChainReset';
}
/** The network asks more than the configured cap. */
export class FeeTooHigh extends Error {
  override readonly name = 'FeeTooHigh';
}
