import type * as z from 'zod';
import type { Variable } from '../app/config/config.ts';
import type { Answers, Client, Info, RobotUser, RunReport } from '../client/client.ts';
import type { AssetSymbol, CONTROLS } from '../contract/assets.ts';
import type { Callback, CallbackType } from '../contract/callbacks.ts';
import type { DriverRequest } from '../contract/customers.ts';
import type { RunRequest } from '../contract/plans.ts';
import type { VerifyUserRequest } from '../contract/requests.ts';

export { type Client, Refused } from '../client/client.ts';

/**
 * Starts a whole sandbox in this process: enclave, robot VASP and both ledgers. Several sandboxes share nothing. Throws
 * `TypeError` for an unknown name, `ConfigError`, which names every wrong value, and an error when a ledger does not start.
 */
export declare function createRobot(options?: RobotOptions): Promise<Robot>;

/** All options are optional. Without them, callbacks wait in the mailbox and nothing is stored on disk. */
export interface RobotOptions {
  /** Your VASP. `endpoints` are full URLs. A missing endpoint is not called. */
  vasp?: {
    vaspId?: string;
    name?: string;
    endpoints?: { verifyUser?: string; verifyAccount?: string; transactionStatus?: string; callback?: string };
    /** Sent to your endpoints: `Authorization: Bearer <token>`, or `<header>: <token>`. */
    authorization?: { token: string; header?: string };
  };
  /** true: the sandbox's own VASP plays the part of yours, for a first try. Leave out `vasp.endpoints`. */
  referenceVasp?: boolean;
  /**
   * Any other variable of the configuration; the guide lists them. The environment of the process is not read. Different
   * defaults: DATABASE_PATH `:memory:`, PORT any free port, LOG_LEVEL `error`, XRPL_CLOSE_INTERVAL `100ms`.
   */
  env?: Partial<Record<Variable, string>>;
}

/** The sandbox of one test suite: enclave, robot VASP and both ledgers on one port. */
export interface Robot extends AsyncDisposable {
  /** Address of the enclave for your VASP, for example `http://127.0.0.1:41233`. */
  readonly url: string;
  /** Of your VASP. */
  readonly vaspId: string;
  readonly robotVaspId: string;
  /** A typed client of enclave, robot and sandbox. Throws `Refused` on any status other than 200. */
  readonly api: Client;
  readonly info: Info;
  /** The initial users of the robot, by id. */
  readonly users: Readonly<Record<string, RobotUser>>;
  /** One user. The error for an unknown id lists all ids. */
  user(id: string): RobotUser;
  /** Addresses of the ledgers, for clients such as ethers and xrpl. */
  readonly devnet: { readonly ethereum: string; readonly xrpl: string };
  readonly clock: RobotClock;
  readonly mailbox: RobotMailbox;
  readonly requests: RobotRequests;
  /** Funds an address. `amount` is decimal text in whole coins. */
  faucet(symbol: AssetSymbol, address: string, amount: string): Promise<{ txHash: string }>;
  /** Controls a ledger, for example `control('ETH', 'reorg', { depth: 2 })`. */
  control<S extends AssetSymbol, K extends keyof (typeof CONTROLS)[S] & string>(
    symbol: S,
    name: K,
    parameters: ControlParameters<S, K>,
  ): Promise<Answers['setControl']>;
  /** All events of one verification, in order. */
  timeline(verificationUuid: string): Promise<Answers['timeline']['timeline']>;
  /** Runs a test run to its end. The report says what failed. */
  check(options?: RobotCheckOptions): Promise<RunReport>;
  /** Removes all data of your VASP and resets its clock. The ledgers stay. */
  reset(): Promise<void>;
  /** Stops the sandbox. Calling it again is safe. */
  close(): Promise<void>;
}

/** `driver`: an address, or a function that makes your VASP act. Without it a VASP that acts by itself is awaited. */
export interface RobotCheckOptions extends Omit<z.input<typeof RunRequest>, 'driver'> {
  driver?: { url: string; header?: string; token?: string } | RobotDriver;
}
/** Resolves when the VASP has begun; `not-supported`: it cannot do that. */
export type RobotDriver = (action: DriverRequest) => Promise<{ value?: string } | 'not-supported' | undefined>;

export type ControlParameters<
  S extends AssetSymbol,
  K extends keyof (typeof CONTROLS)[S],
> = (typeof CONTROLS)[S][K] extends infer P ? (P extends z.ZodType ? z.input<P> : never) : never;

/** The time of your VASP. It runs normally. Only `reset` moves it back. */
export interface RobotClock {
  /** ISO 8601 with milliseconds. */
  now(): Promise<string>;
  /** Advances by `'10m'`, `'90s'`. Resolves with the fired timers when both ledgers are read and all due timers have run. */
  advance(duration: string): Promise<Answers['advance']>;
  /** Waits until both ledgers are read and all due timers have run: `advance('0s')`. */
  idle(): Promise<Answers['advance']>;
}

export interface WaitOptions<T extends CallbackType = CallbackType> {
  type?: T;
  verificationUuid?: string;
  /** `id` of a callback: only later ones match. Without it, every call returns the oldest match. */
  after?: string;
  /** Real time, default `'5s'`. */
  timeout?: string;
}

/** A callback of the mailbox. `type` narrows `data`. */
export type Received<T extends CallbackType = CallbackType> = Extract<Callback, { callbackType: T }> & {
  readonly id: string;
  readonly at: string;
};

/** All callbacks to your VASP, delivered or not. */
export interface RobotMailbox {
  /** Rejects when none arrives in time. The error lists the received callbacks. */
  wait<T extends CallbackType>(options?: WaitOptions<T>): Promise<Received<T>>;
  /** All callbacks until now, oldest first. */
  all(): Promise<Received[]>;
}

/** Valid requests. Change only what your test is about. */
export interface RobotRequests {
  /** Body of `POST /v1/verifications`: your customer Robert Barnes pays a user of the robot. */
  withdrawal(input?: RequestInput & { /** Address of your customer. */ from?: string }): VerifyUserRequest;
  /** Body of `POST …/action/verifications`: the robot's user pays your customer Kate Moss. */
  deposit(input?: RequestInput & { /** Address of your customer. */ to?: string }): VerifyUserRequest;
}

export interface RequestInput {
  /** Default: `ETH`. */
  symbol?: AssetSymbol;
  /** Decimal text in whole coins, default `0.024`. */
  amount?: string;
  /** Id of the user; default `taylor-robbins`. */
  user?: string;
  /**
   * Changes by path: `{ 'assetInfo.network': 'Tron', 'originator.accountNumber[0]': '0x…' }`. `originator` and
   * `beneficiary` stand for those in `payload.ivms101`; undefined removes a member. A path that leads nowhere throws
   * `RangeError`.
   */
  with?: Readonly<Record<string, unknown>>;
}
