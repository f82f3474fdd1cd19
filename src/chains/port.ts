import type { AssetSymbol } from '../contract/assets.ts';

/**
 * One blockchain, as the robot uses it. An adapter reads and sends; it decides nothing and stores nothing:
 * what must survive (cursor, signed bytes, hashes) is handed to the caller, who commits it.
 */
export interface Chain {
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
  /** Where a transaction stands now. Never throws for an unknown hash. Throws `ChainUnreachable`. */
  stateOf(txHash: string): Promise<TransactionState>;

  /** Calls back whenever the head may have moved. A hint that wakes a reader, never a source of truth. */
  onHead(wake: () => void): () => void;
  close(): Promise<void>;
}

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
