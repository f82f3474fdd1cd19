import type * as z from 'zod';
import type { Variable } from '../app/config.ts';
import type { Info, KnobName, RobotUser, SandboxAnswers } from '../client/answers.ts';
import type { Client } from '../client/client.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { Callback, CallbackType } from '../contract/callbacks.ts';
import type { VerifyUserRequest } from '../contract/requests.ts';
import type { KNOBS } from '../sandbox/chains/schema.ts';

export { type Client, Refused } from '../client/client.ts';

/**
 * Starts a whole sandbox in this process: enclave, robot VASP and both ledgers. Several at once share nothing. Throws
 * `ConfigError`, which names everything that is wrong in the options, and when a ledger does not start.
 */
export declare function createRobot(options?: RobotOptions): Promise<Robot>;

/** Everything is optional: without anything callbacks wait in the mailbox, and nothing is left behind. */
export interface RobotOptions {
  /** Your VASP. `endpoints` are full addresses; what is left out is not called. */
  vasp?: {
    vaspId?: string;
    name?: string;
    endpoints?: {
      verifyUser?: string;
      verifyAccount?: string;
      transactionStatus?: string;
      callback?: string;
    };
    /** What your endpoints are called with: `Authorization: Bearer <token>`, or `<header>: <token>`. */
    authorization?: { token: string; header?: string };
  };
  /**
   * Any other variable of the README's "Configuration". The environment of the process is not read. Other defaults
   * than there: DATABASE_PATH `:memory:`, PORT any free one, LOG_LEVEL `error`, XRPL_CLOSE_INTERVAL `100ms`.
   */
  env?: Partial<Record<Variable, string>>;
}

/** The sandbox of one test suite: enclave, robot VASP and both ledgers, behind a port of its own. */
export interface Robot extends AsyncDisposable {
  /** What your VASP takes as the address of its enclave, e.g. `http://127.0.0.1:41233`. */
  readonly url: string;
  /** Of your VASP. */
  readonly vaspId: string;
  readonly robotVaspId: string;
  /** Everything that a VASP can ask of enclave, robot and sandbox, typed. Throws `Refused` on any other status than 200. */
  readonly api: Client;
  readonly info: Info;
  /** The robot's users at the start, by id. */
  readonly users: Readonly<Record<string, RobotUser>>;
  /** One of them. Throws an error that names all when there is none of that id. */
  user(id: string): RobotUser;
  /** The ledgers, for unmodified clients such as ethers and xrpl. */
  readonly devnet: { readonly ethereum: string; readonly xrpl: string };
  readonly clock: RobotClock;
  readonly mailbox: RobotMailbox;
  readonly requests: RobotRequests;
  /** Funds an address. `amount` is decimal text in whole coins. */
  faucet(symbol: AssetSymbol, address: string, amount: string): Promise<{ txHash: string }>;
  /** Makes a ledger misbehave, e.g. `knob('ETH', 'reorg', { depth: 2 })`. */
  knob<S extends AssetSymbol, K extends KnobName<S> & string>(
    symbol: S,
    name: K,
    parameters: KnobParameters<S, K>,
  ): Promise<SandboxAnswers['knob']>;
  /** Everything about one verification, in order. */
  timeline(verificationUuid: string): Promise<SandboxAnswers['timeline']['timeline']>;
  /** Removes what your VASP has done and sets its clock back. Ledgers stay. */
  reset(): Promise<void>;
  /** Ends it, and everything that belongs to it. Again: the same. */
  close(): Promise<void>;
}

export type KnobParameters<
  S extends AssetSymbol,
  K extends KnobName<S>,
> = (typeof KNOBS)[S][K] extends infer P ? (P extends z.ZodType ? z.input<P> : never) : never;

/** The time of your VASP. It runs by itself; nothing moves it back but `reset`. */
export interface RobotClock {
  /** ISO 8601 with milliseconds. */
  now(): Promise<string>;
  /** `'10m'`, `'90s'`: resolves when both ledgers are read and everything that fell due has run, with what it was. */
  advance(duration: string): Promise<SandboxAnswers['advance']>;
  /** The same without moving: `advance('0s')`. */
  idle(): Promise<SandboxAnswers['advance']>;
  /** @deprecated Use `idle`. */
  settle(): Promise<SandboxAnswers['advance']>;
}

export interface WaitOptions<T extends CallbackType = CallbackType> {
  type?: T;
  verificationUuid?: string;
  /** `id` of a callback: only later ones count. Without it the oldest one that fits is the answer, each time. */
  after?: string;
  /** Real time, default `'5s'`. */
  timeout?: string;
}

/** A callback as it lies in the mailbox. `type` narrows `data`. */
export type Received<T extends CallbackType = CallbackType> = Extract<Callback, { callbackType: T }> & {
  readonly id: string;
  readonly at: string;
};

/** The callbacks of your VASP, whether they could be delivered or not. */
export interface RobotMailbox {
  /** Rejects when none has come in time, with an error that says what has come instead. */
  wait<T extends CallbackType>(wanted?: WaitOptions<T>): Promise<Received<T>>;
  /** All of them until now, oldest first. */
  all(): Promise<Received[]>;
}

/** Valid requests: what you change is what the test is about. */
export interface RobotRequests {
  /** Body of `POST /v1/verifications`: your customer Robert Barnes at `from` pays a user of the robot. */
  withdrawal(wish: {
    /** Default: `ETH`. */
    symbol?: AssetSymbol;
    amount: string;
    from: string;
    /** Id of the user; default `taylor-robbins`. */
    user?: string;
  }): VerifyUserRequest;
  /** Body of `POST …/action/verifications`: the robot's user pays your customer Kate Moss at `to`. */
  deposit(wish: { symbol?: AssetSymbol; amount: string; to: string; user?: string }): VerifyUserRequest;
}
