import type { Head } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { Db } from '../db/open.ts';
import type { EnclaveDeps } from '../enclave/deps.ts';
import type { OrderedFaults } from '../fault-injection/injector.ts';
import type { Random } from '../kernel/random.ts';
import type { Funds } from '../robot/balance/watch-funds.ts';
import type { WatcherState } from '../robot/deposit/watch.ts';
import type { RobotDeps } from '../robot/deps.ts';
import type { SandboxClock } from '../timers/sandbox-clock.ts';
import type { Timers } from '../timers/timers.ts';
import type { ExchangeStore } from './exchanges/store.ts';

/** What the control API is given: the verbs of both modules, and the embedded chains. */
export interface SandboxDeps {
  version: string;
  db: Db;
  random: Random;
  clock: SandboxClock;
  timers: Timers;
  exchanges: ExchangeStore;
  faults: OrderedFaults;
  enclave: EnclaveDeps;
  robot: RobotDeps;
  networks: { ETH: Network<EthereumKnobs>; XRP: Network<XrplKnobs> };
  /** What a test needs and is not there; empty: ready. */
  missing(): string[];
  /** What is known of the chains by now; one that does not answer holds nobody up. */
  figures(): Promise<ChainFigures[]>;
  /** Aborted when the program stops: ends every long poll and every stream. */
  stopping: AbortSignal;
}

/** What one chain is like at this moment. */
export interface ChainFigures {
  symbol: AssetSymbol;
  isRead: boolean;
  /** Undefined: it does not answer. */
  head: Head | undefined;
  /** Of the robot's own accounts, on a chain given by URL. */
  funds: ReadonlyMap<string, Funds>;
}

/** One chain, embedded or given by URL. */
export interface Network<Knobs = unknown> {
  symbol: AssetSymbol;
  isEmbedded: boolean;
  /** Where the tested VASP reaches it: a path of ours, or the configured address without credentials. */
  publicUrl: string;
  state(): WatcherState;
  /** Reads the chain up to its present head. */
  sync(): Promise<void>;
  /**
   * Embedded only: a real transfer from the genesis funds; resolves when it is final, or with what the chain said
   * against it. `amount` in base units.
   */
  fund?(account: string, tag: number | undefined, amount: bigint): Promise<Funded>;
  /** Embedded only. What a knob throws says what was wrong with its parameters. */
  knobs?(): Promise<Knobs>;
}

export type Funded = { txHash: string; refused?: undefined } | { refused: string };

/** What a tester may do to the embedded Ethereum chain. */
export interface EthereumKnobs {
  mine(blocks: number): Promise<void>;
  reorg(depth: number, moved: boolean): Promise<void>;
  /** False: no such transaction waits for a block. */
  drop(txHash: string): Promise<boolean>;
  hold(on: boolean): Promise<void>;
  feeSpike(baseFee: bigint): Promise<void>;
}

/** What a tester may do to the embedded XRP Ledger. */
export interface XrplKnobs {
  close(): unknown;
  hold(on: boolean): void;
  dropNext(): void;
  delayNext(closes: number): void;
  reorderNextClose(): void;
  loadFactor(factor: number): void;
  forgetHistory(upTo: number): void;
  startOver(): void;
}
