import type { Chain, Head } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { CallerId, Roles } from '../contract/tenancy.ts';
import type { Db } from '../db/open.ts';
import type { Tx } from '../db/transaction.ts';
import type { EnclaveControl } from '../enclave/control.ts';
import type { OrderedFaults } from '../fault-injection/store.ts';
import type { Random } from '../kernel/random.ts';
import type { RobotControl } from '../robot/control.ts';
import type { SandboxClock } from '../timers/sandbox-clock.ts';
import type { Timers } from '../timers/timers.ts';
import type { ExchangeStore } from './exchanges/store.ts';
import type { HeldLedgers } from './held-ledgers.ts';
import type { ReferenceVaspSwitch } from './reference-vasp.ts';

/** The control API reaches the rest through these: the control ports of enclave and robot, and the chains. */
export interface SandboxDeps {
  version: string;
  /** Of the program as it was when it started. */
  build: string;
  /** The roles that this process has. */
  roles: Roles;
  /** Many VASPs that do not know each other: another VASP's things do not exist. */
  isHosted: boolean;
  /** 0: final verifications are kept. */
  retentionMs: number;
  db: Db;
  random: Random;
  clock: SandboxClock;
  timers: Timers;
  exchanges: ExchangeStore;
  faults: OrderedFaults;
  enclave: EnclaveControl;
  robot: RobotControl;
  /** Before a VASP sends a transaction to an embedded chain. Throws `Refusal` quota-exceeded. */
  beforeSending(transaction: Sending, caller: CallerId): void;
  networks: { ETH: Network<EthereumControls>; XRP: Network<XrplControls> };
  held: HeldLedgers;
  referenceVasp: ReferenceVaspSwitch;
  /** The parts that are missing before tests can run; empty: ready. */
  missing(): string[];
  /** Figures of both chains. It does not wait for a chain that does not answer. */
  figures(): Promise<ChainFigures[]>;
  runs: StoredRuns;
  /** Aborts when the program stops. It ends every long poll and every stream. */
  stopping: AbortSignal;
}

/** The test runs, for what ends or removes those of a VASP. */
export interface StoredRuns {
  list(caller: CallerId): { id: string; endedAt: string | null }[];
  /** Ends the run of a VASP. Throws `StorageUnavailable`. */
  stopOf(vaspId: string): Promise<void>;
  removeOf(tx: Tx, vaspId: string): void;
  /** Removes the runs of a VASP that ended at a time or before. Yields after each. */
  removeOld(vaspId: string, endedAt: number): Generator<void>;
}

/** A signed transaction. `gas`: its limit. */
export interface Sending {
  symbol: AssetSymbol;
  hash: string;
  gas: number;
  bytes: number;
  /** Of an EscrowFinish, which anybody may send: the EscrowCreate that has locked the money. */
  finishes?: string | undefined;
}

export interface ChainFigures {
  symbol: AssetSymbol;
  isRead: boolean;
  /** Calls to the network since the start, by method. */
  calls: ReadonlyMap<string, number>;
  /** Limit of the calls in a minute, and how many there were in the last one. Undefined: no limit. */
  callBudget: { perMinute: number; lastMinute: number } | undefined;
  /** Of the last reading. Undefined: none yet. */
  head: Head | undefined;
  /**
   * Base units: of the robot's account that needs money. `lacks`: how much is missing to pay everything owed and some fees.
   * Undefined: it was not read yet, or the chain is embedded.
   */
  funds: { account: string; spendable: bigint; lacks: bigint } | undefined;
}

/** One chain, embedded or given by URL. */
export interface Network<ChainControls = unknown> {
  symbol: AssetSymbol;
  isEmbedded: boolean;
  /** The address for the tested VASP: a path of this program, or the configured URL without credentials. */
  publicUrl: string;
  /** Embedded only: the chain control `hold` keeps transactions out of blocks and ledgers. */
  isHeld(): Promise<boolean>;
  /** Embedded only: the chain controls that are on or wait for their call, such as `hold`, `drop` and `delay 3`. */
  activeControls(): Promise<readonly string[]>;
  /** Embedded only: bytes of its state. */
  stateBytes(): Promise<number | null>;
  /** The account that has to be funded by hand. Undefined: none, the chain is embedded. D-31 */
  treasury(): Promise<string | undefined>;
  /** Address of a transaction's page in an explorer, with `{hash}`. Null: none is known. */
  explorer: string | null;
  /** Loaded on first use. */
  chain(): Promise<Chain>;
  /** Transaction types that an embedded chain offers, where it refuses others. */
  readonly transactionTypes?: readonly string[];
  /** True: the robot reads the chain. `why`: the reason why it does not. */
  state(): { ok: true } | { ok: false; why: string };
  /** Reads the chain up to its newest block. */
  sync(): Promise<void>;
  /** Runs `work` while the robot does not read the chain, then reads it up to its newest block. */
  whileNotRead<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Embedded only: a real transfer from the genesis funds; resolves when it is final, or with what the chain said
   * against it. `amount` in base units. `fails`: a transaction in the ledger that has failed. `delivered`: XRP only, less
   * than `amount`, by a partial payment that states `amount`. `token`: Ethereum only, the event of a token. `others`:
   * Ethereum only, further payments of the same transaction. `before` is called with each signed transaction before it is
   * sent, and its error ends the payment.
   */
  fund?(
    account: string,
    tag: number | undefined,
    amount: bigint,
    options?: {
      fails?: boolean;
      delivered?: bigint;
      token?: boolean;
      others?: readonly { account: string; amount: bigint }[];
      before?: (transaction: Sending) => void;
    },
  ): Promise<Funded>;
  /** Embedded only. A chain control throws an error that says what was wrong with its parameters. */
  controls?(): Promise<ChainControls>;
}

/** `isUnreachable`: the node did not answer, so nobody knows whether it has paid. `isClosed`: it takes no payment now. */
export type Funded =
  | { txHash: string; refused?: undefined; isUnreachable?: undefined }
  | { refused: string; isUnreachable?: true; isClosed?: true };

export interface EthereumControls {
  mine(blocks: number): Promise<void>;
  reorg(depth: number, moved: boolean): Promise<void>;
  /** False: no transaction of this hash waits for a block. */
  drop(txHash: string): Promise<boolean>;
  hold(on: boolean): Promise<void>;
  /** Puts into a block what waits; payments to this address fail. The hash of one; undefined: none waits. */
  failPayment(address: string): Promise<string | undefined>;
  /** The account runs a contract from now on, and can still send. */
  delegate(address: string): Promise<void>;
  feeSpike(baseFee: bigint): Promise<void>;
  startOver(): Promise<void>;
}

/** Chain controls of the embedded XRP Ledger. */
export interface XrplControls {
  close(): unknown;
  closePending(): void;
  hold(on: boolean): void;
  /** As that of Ethereum. */
  failPayment(account: string, tag?: number): string | undefined;
  dropNext(): void;
  delayNext(closes: number): void;
  reorderNextClose(): void;
  loadFactor(factor: number): void;
  forgetHistory(upTo: number): void;
  startOver(): void;
}
