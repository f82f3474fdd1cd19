import type { Chain, Head } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { Db } from '../db/open.ts';
import type { EnclaveControl } from '../enclave/control.ts';
import type { OrderedFaults } from '../fault-injection/injector.ts';
import type { Random } from '../kernel/random.ts';
import type { RobotControl } from '../robot/control.ts';
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
  enclave: EnclaveControl;
  robot: RobotControl;
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
  funds: ReadonlyMap<string, OwnFunds>;
}

/** Base units. `lacks`: what the account is short of to pay what it owes, with some fees. */
export interface OwnFunds {
  spendable: bigint;
  lacks: bigint;
}

/** One chain, embedded or given by URL. */
export interface Network<Knobs = unknown> {
  symbol: AssetSymbol;
  isEmbedded: boolean;
  /** Where the tested VASP reaches it: a path of ours, or the configured address without credentials. */
  publicUrl: string;
  /** Loaded on first use. */
  chain(): Promise<Chain>;
  /** Whether the robot reads it; `why` not. */
  state(): { ok: true } | { ok: false; why: string };
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
