import type { AssetSymbol } from '../contract/assets.ts';
import type {
  AddressForm,
  Broadcast,
  Movement,
  Numbers,
  Outgoing,
  OutgoingPayment,
  PlannedPayment,
} from './payments.ts';

/**
 * One blockchain, as the robot uses it. An adapter reads and sends; it decides nothing and stores nothing. It hands
 * cursor, signed bytes and hashes to the caller, who commits them.
 */
export interface Chain extends Sending {
  readonly symbol: AssetSymbol;
  /** Name of the network as shown to people, e.g. `Ethereum (embedded)`. */
  readonly label: string;
  /** Chain id (Ethereum) or network id (XRP Ledger), known once `connect` has succeeded. */
  readonly networkId: number;
  /** The rule by which a transaction counts as final, as shown to people, e.g. `3 confirmations`. */
  readonly finality: string;

  /** Reaches the node and checks that it is the configured network. Repeatable. Throws `ChainUnreachable` or `ChainRefused`. */
  connect(): Promise<void>;
  /** The newest block or validated ledger. Throws `ChainUnreachable`. */
  head(): Promise<Head>;
  /** The newest block or validated ledger of the last reading; needs no call. */
  readonly seenHead: Head | undefined;
  /** Number of calls to the network since the start, by method. */
  readonly calls: ReadonlyMap<string, number>;
  /** The limit of the configuration and its use in the last minute. Undefined: there is no limit. */
  readonly callBudget?: { readonly perMinute: number; lastMinute(): number } | undefined;
  /** Runs `work`. Its calls count to the share of this VASP in the budget; the robot's own come first. */
  onBehalfOf<T>(vaspId: string, work: () => Promise<T>): Promise<T>;
  /** False: a reorganisation has replaced this block. Throws `ChainUnreachable`. */
  isInChain(block: BlockRef): Promise<boolean>;
  /** Hash that identifies the chain's beginning: a testnet reset changes it. */
  genesis(): Promise<string>;
  /**
   * The beginning of the reading of a chain that started over: its first block, or at the head of a chain too long to be
   * read. Forgets `seenHead`, which was of the former chain. Throws `ChainUnreachable`. D-33
   */
  beginning(): Promise<Cursor>;

  /** Parses an address as messages write it (`0x…`, `r…`, `r…:tag`). Undefined: it is not an address. D-08 */
  parseAddress(text: string): ChainAddress | undefined;
  /** An address in a form of other programs, such as CAIP-10 or an X-address. Undefined: it is none. D-08 */
  otherForm(text: string): AddressForm | undefined;
  /** The robot's own account number `index`. On the XRP Ledger there is one account, whatever the index. */
  ownAccount(index: number): string;

  /**
   * Incoming transfers to `accounts` after `cursor` (null: start at the head), at most a bounded step further.
   * The returned cursor is the last block up to which nothing was skipped. When the cursor's block was reorganised
   * away, blocks before it are read again, so a transfer may be reported twice: its key makes that harmless.
   * `stored`: asked after a start, to follow a reorganisation of the meantime. Throws `ChainUnreachable`, `ChainReset`.
   */
  incoming(cursor: Cursor | null, accounts: ReadonlySet<string>, stored?: StoredBlocks): Promise<IncomingPage>;
  /**
   * The present state of a transaction. Never throws for an unknown hash. With the `validity` that `sign` answered it
   * can also be `expired`: no block holds it, and none ever will. Throws `ChainUnreachable`.
   */
  stateOf(txHash: string, validity?: Validity): Promise<TransactionState>;
  /**
   * The state of a transaction with all its transfers of value, to anybody. Where the node cannot trace, the transfers
   * out of contracts are missing, except those to `account`: the change of its balance shows them. Never throws for an
   * unknown hash. Throws `ChainUnreachable`. D-24, D-25, D-26
   */
  lookup(txHash: string, account?: string): Promise<TransactionLookup>;

  /** D-26: for chains whose contracts pay. Undefined: `incoming` shows every transfer. */
  readonly payouts?: ContractPayouts;

  /** Calls back whenever the head may have moved. A hint that wakes a reader, never a source of truth. */
  onHead(wake: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Sending, in steps between which the caller commits: reserve a sequence, quote, sign, store, broadcast, track. Only
 * bytes that `sign` answered are ever sent, and sending them again is harmless.
 */
export interface Sending {
  /** Throws `ChainUnreachable`. */
  balanceOf(account: string): Promise<Balance>;
  /** Throws `ChainUnreachable`. */
  numbers(account: string): Promise<Numbers>;
  /**
   * Hash of the transaction with this sequence in a block up to the head. Undefined: nothing is proven. XRP Ledger: always
   * undefined, because the proof is the state `expired`.
   */
  findTransactionByNonce(sender: Sender): Promise<string | undefined>;
  /**
   * Final transactions of an own account that have used `fromSequence` or a later number, in blocks after `after`: a
   * bounded part, in the order of blocks. Throws `ChainUnreachable`.
   */
  outgoing(account: string, fromSequence: number, after: number): Promise<Outgoing>;
  /** False: the payment says that it is for something else. */
  isFor(payment: OutgoingPayment, reference: string): boolean;
  /**
   * The fee to bid now for this very payment. `replaced`: the bid of a stuck transfer; the answer is high enough to
   * replace it. Throws `FeeTooHigh` above the configured cap, and `NotPayable`. D-35, D-48
   */
  quoteFee(payment: PlannedPayment, replaced?: Fee): Promise<Fee>;
  /**
   * Why a payment to this address can never succeed, for people. Undefined: nothing is known against it. Throws
   * `ChainUnreachable`. D-32, D-49
   */
  whyUnpayable(to: ChainAddress): Promise<string | undefined>;
  /** The most that a bid can cost, in base units. */
  costOf(fee: Fee): bigint;
  /** Sends nothing. An order of 0 to the own account takes the sequence and pays nobody. The same order within the same validity gives the same bytes. */
  sign(order: TransferOrder): Promise<SignedTransfer>;
  /** Never throws `ChainUnreachable`: a missing answer is `unclear`. Throws `ChainRefused`; then nothing was sent. */
  broadcast(bytes: string): Promise<Broadcast>;
}

export interface Balance {
  total: bigint;
  /** `total` less the reserve of the XRP Ledger. Fees are paid from it. */
  spendable: bigint;
}

/** Who has signed a transaction, and with which number (nonce, Sequence). At most one of them gets into a block. */
export interface Sender {
  account: string;
  sequence: number;
}

/** Parts of a bid, as decimal text. Only the adapter reads them; the caller stores them. */
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
  /** XRP Ledger: the tag for a payment that comes back. */
  sourceTag?: number;
  /** The purpose of the payment. The XRP Ledger keeps its hash as the InvoiceID. */
  reference?: string;
}

/** The caller stores it before it broadcasts. */
export interface SignedTransfer {
  bytes: string;
  hash: string;
  /** XRP Ledger. Undefined: the transaction never expires. */
  validity?: Validity;
}

/** Only ledgers after `signedAfter`, up to and including `lastLedgerSequence`, can hold the transaction. */
export interface Validity {
  signedAfter: number;
  lastLedgerSequence: number;
}

/** `account` is in the chain's canonical form: lower-case for Ethereum, exact for the XRP Ledger. */
export interface ChainAddress {
  account: string;
  tag?: number;
}

export interface BlockRef {
  height: number;
  hash: string;
}
/** The last 256 blocks of `IncomingPage.read`. */
export type StoredBlocks = () => readonly BlockRef[];

export interface Head extends BlockRef {
  /** Epoch milliseconds of the block. */
  at: number;
}

/** Position of a reader: everything up to and including this block was read. */
export interface Cursor extends BlockRef {
  genesis: string;
}

/** One transfer of value inside a transaction. */
export interface ValueTransfer {
  /**
   * D-25: position among all transfers of value of the transaction, in order of execution, from 0. Null: unknown, because
   * the node cannot trace; then there is one transfer for each recipient, with the sum.
   */
  index: number | null;
  from: string;
  to: ChainAddress;
  /** Delivered amount in base units. */
  amount: bigint;
  /** The means of delivery other than a plain payment: `contract`, or a type of the XRP Ledger, e.g. `AccountDelete`. */
  via?: string;
}

/** Key of a transfer: (chain, txHash, index). */
export interface IncomingTransfer extends ValueTransfer {
  txHash: string;
  height: number;
  blockHash: string;
  /** Epoch milliseconds of the block. */
  at: number;
  /** Reached finality (the configured confirmations; validated). Otherwise follow it with `stateOf`. */
  final: boolean;
}

export interface IncomingPage {
  transfers: IncomingTransfer[];
  /** With `payouts`: every change of the accounts' balances by transactions themselves, not by the calls inside them. */
  movements?: Movement[];
  /** The chain was reorganised: every block after this height was read again. */
  rereadFrom?: number;
  /** Chains that can be reorganised: the blocks of this page. */
  read?: readonly BlockRef[];
  cursor: Cursor;
  /** The head was reached; false: call again at once. `isAll`: the chain certainly has no block after the cursor. */
  caughtUp: boolean;
  isAll?: boolean;
}

/** Payments that no transaction shows by itself: balances reveal them. Everything throws `ChainUnreachable`. */
export interface ContractPayouts {
  /** Balances after a block, in base units. Undefined: the node lacks them, or the block with this `hash`. */
  balances(
    at: { height: number; hash?: string },
    accounts: readonly string[],
  ): Promise<ReadonlyMap<string, bigint> | undefined>;
  /** The payments of contracts to this account in a block. */
  inBlock(height: number, account: string): Promise<BlockPayouts>;
}

export interface BlockPayouts {
  blockHash: string;
  /** Epoch milliseconds. */
  at: number;
  final: boolean;
  /** Undefined: the node neither logs nor traces them. */
  transfers: IncomingTransfer[] | undefined;
  /** The transactions that ran code, with the called contract: one of them paid. */
  candidates: { txHash: string; contract: string }[];
}

export type TransactionState =
  | { status: 'unknown' }
  | { status: 'pending' }
  | { status: 'expired' }
  | ({ status: 'included' | 'final'; height: number; blockHash: string } & Execution);

/** How a transaction in a block ended. `failure`: the chain's own reason, e.g. `out of gas` or `tecNO_PERMISSION`. */
export type Execution = { succeeded: true } | { succeeded: false; failure: string };

export interface TransactionLookup {
  state: TransactionState;
  /** Epoch milliseconds of the block; undefined: it is in no block. */
  at?: number;
  /** Empty unless the transaction is in a block and has succeeded. */
  transfers: ValueTransfer[];
  /** Ethereum, where the node knows the transaction. */
  sender?: Sender;
  /** Ethereum: no block takes the transaction before its sender has sent these. */
  missing?: MissingNumbers;
  /** D-37: the named transaction is a Batch of the XRP Ledger, and these are its inner ones that paid `account`. */
  inner?: readonly InnerTransaction[];
  /** The named transaction is an EscrowCreate of the XRP Ledger: what its EscrowFinish delivers. */
  escrowed?: { to: ChainAddress; amount: bigint };
}
/** Numbers (nonces) of which the node has no transaction, at least one. Those from `unknownFrom` on were not looked up. */
export interface MissingNumbers {
  numbers: readonly number[];
  unknownFrom?: number;
}
/** A transaction of a Batch. It stands in the ledger with its own hash. */
export interface InnerTransaction {
  txHash: string;
  transfers: ValueTransfer[];
}
/** The node cannot be reached now, or its answer makes no sense: wait and try again. */
export class ChainUnreachable extends Error {
  override readonly name = 'ChainUnreachable';
  /** The node limits calls and names this wait. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options?: ErrorOptions & { retryAfterMs?: number | undefined }) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}
/** The node belongs to another network than the configured one, or to a main network. */
export class ChainRefused extends Error {
  override readonly name = 'ChainRefused';
}
/** D-33: the network started over: another genesis, or a head far behind the cursor. */
export class ChainReset extends Error {
  override readonly name = 'ChainReset';
}
/** The network's fee is above the configured cap. */
export class FeeTooHigh extends Error {
  override readonly name = 'FeeTooHigh';
}
