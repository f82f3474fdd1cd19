import type { Chain } from '../chains/port.ts';
import type { Client, RobotUser } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import { accountOf, type Customer, type Customers } from '../contract/customers.ts';
import type { RunRequest } from '../contract/plans.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Driver } from './driver.ts';
import type { ExchangeReader } from './evidence.ts';

/** All modules of a run share it. */
export interface RunWorld {
  readonly runId: string;
  readonly vaspId: string;
  /** The last exchange before the run. */
  readonly since: number;
  readonly robotVaspId: string;
  readonly settings: RunRequest;
  /** 10 to 99, another one in the next run: its amounts differ. */
  readonly digits: number;
  readonly customers: Customers | undefined;
  readonly driver: Driver | undefined;
  /** The timers of the VASP go by its clock in the sandbox. */
  readonly followsSandboxClock: boolean;
  /** Modules of two symbols run at the same time. A person does one thing after another; a driver several at once. */
  readonly isSideBySide: boolean;
  /** Symbols of the verifications of the run. */
  readonly symbolOf: Map<string, string>;
  /** The names of networks as the VASP knows them. */
  readonly networkOf: Map<AssetSymbol, string>;
  /** By customer and symbol. */
  readonly ledgers: Map<string, CreditLedger>;
  readonly watch: Watch;
  readonly users: ReadonlyMap<string, RobotUser>;
  /** Acts for the tested VASP; its calls leave no exchanges. */
  readonly api: Client;
  readonly exchanges: ExchangeReader;
  readonly target: Target;
  readonly silence: Silence;
  readonly timeoutMs: Readonly<Record<VaspOperation, number>>;
  /** Real time within which the sandbox itself acts, also on a busy machine. No VASP is judged by it. */
  readonly sandboxMs: number;
  /** Real time for each awaited act of the VASP. */
  readonly waitMs: number;
  /** The same, when a person acts. */
  readonly handMs: number;
  readonly inquiryWaitMs: number;
  /** TRAVEL_RULE_THRESHOLDS: decimal text by currency. */
  readonly thresholds: Readonly<Record<string, string>>;
  /** Time of the VASP until the robot asks for the status by itself. Undefined: it does not ask. */
  inquiryDueInMs(verificationUuid: string): number | undefined;
  chain(symbol: AssetSymbol): Promise<Chain>;
  isEmbedded(symbol: AssetSymbol): boolean;
  /**
   * The embedded ledger goes on unless it is held. XRP: a transaction that waits gets into a ledger now, not after the close
   * interval. Ethereum: empty blocks.
   */
  moveLedgerOn(symbol: AssetSymbol): Promise<void>;
  /** Measures from now on the real time in which the sandbox was late itself: it stood still, or kept the VASP waiting. */
  selfDelay(): () => number;
  /** The longest time for which one call of the VASP had to wait for the sandbox, since a time of `elapsedMs`. */
  longestWaitSince(from: number): number;
  /** No other run holds it. */
  isLedgerFree(symbol: AssetSymbol): boolean;
  /** A held ledger takes what waits, and payments to this account fail. Resolves with the hash of one; undefined: none waits. */
  failPayment(symbol: AssetSymbol, account: string): Promise<string | undefined>;
  /** The account of the embedded Ethereum runs a contract from now on: a payment to it needs more than 21,000 gas. */
  delegate(account: string): Promise<void>;
  /** Another VASP is being checked on the same ledgers. */
  isShared(): boolean;
  /** Waits until no other run holds it. `releaseLedger` gives it back. Throws when the run is stopped. */
  takeLedger(symbol: AssetSymbol): Promise<void>;
  /** Ends the chain control `hold`, also when the VASP is gone meanwhile. */
  releaseLedger(symbol: AssetSymbol): Promise<void>;
  uuid(): string;
  /** Resident memory of the process. */
  memoryBytes(): number;
  /** Time of the machine, epoch ms. */
  now(): number;
  /** Time of the VASP, epoch ms. */
  sandboxNow(): number;
  /** The greatest jump of the machine's clock during the run, ms; negative: backwards. 0: none. */
  clockJumpMs(): number;
  /** The most time within `windowMs` in which the sandbox stood still during the run, ms. */
  longestStallWithin(windowMs: number): number;
  /** Resolves after the next commit, or after `ms`. */
  nextCommit(ms: number): Promise<void>;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** What the run knows of the balance that a VASP shows to one customer, in base units. */
export interface CreditLedger {
  overdue: bigint[];
  right: RightCredit[];
  /** Amounts of ordered withdrawals. */
  withdrawn: bigint[];
  /** Verifications that the robot has paid. */
  paid: Set<string>;
  /** Amounts that must never be credited. */
  wrong: Remembered[];
  /** The last balance of the last module that judged it. */
  last: bigint | undefined;
  readAgain(): Promise<void>;
}

/** Amounts are unique, so a change by one of them belongs to its module. */
interface Remembered {
  module: string;
  units: bigint;
  changed(got: string): void;
}

interface RightCredit extends Omit<Remembered, 'changed'> {
  /** It came once more. */
  again(): void;
  takenBack(): void;
}

/** What goes on beside the modules of a run. */
export interface Watch {
  /** The first right credit, `elapsedMs`. */
  creditsSince: number | undefined;
  /** Each brings the VASP what the run holds back from it. */
  held: Set<() => Promise<void>>;
  moves: Move[];
  /** The run was interrupted: nobody knows the moves before. */
  isResumed: boolean;
  /** Calls with their answers after which the VASP did not go on, in the whole time for an act, so that a condition failed. */
  ends: Set<string>;
}

/** A move of the time of the VASP: from the last moment before it to the first one after it, epoch ms of that time. */
export interface Move {
  from: number;
  to: number;
  /** Undefined: the sandbox has not given the VASP the time to notice it. */
  noticedBy: number | undefined;
}

/** Calls of the VASP that it does not answer in time. One answer in time, of any status, ends it for the run. */
export interface Silence {
  /** The number of calls, none of which was answered in time; undefined: one was, or there were too few. */
  calls(): number | undefined;
  /** The same of one address that answers too late, once a condition has failed by it. */
  lateCalls(operation: VaspOperation): number | undefined;
  /** A condition has failed by the time of this address. */
  failed(operation: VaspOperation): void;
}

/** Calls of the run itself to the endpoints of the tested VASP, outside of the enclave. */
export interface Target {
  /** The right one. Undefined: none is configured. */
  token: string | undefined;
  url(operation: VaspOperation): string | undefined;
  /** Returns the id of the exchange. `token`: default the right one; null: none. */
  post(
    operation: VaspOperation,
    body: string,
    options?: { token?: string | null; verificationUuid?: string | null },
  ): Promise<number>;
}

export const runSymbols = ({ settings }: Pick<RunWorld, 'settings'>): readonly AssetSymbol[] =>
  settings.symbols ?? ASSET_SYMBOLS;

/** The first customer of this kind who has an account for the symbol. */
export const customerFor = (
  { customers }: Pick<RunWorld, 'customers'>,
  symbol: AssetSymbol,
  { kind = 'natural', kyc = true }: Partial<Pick<Customer, 'kind' | 'kyc'>> = {},
): Customer | undefined =>
  customers?.customers.find(each => each.kind === kind && each.kyc === kyc && accountOf(each, symbol) !== undefined);

/**
 * The symbol of the modules without one: the last one of the run that has a customer for them. The others have more
 * modules of their own.
 */
export function sharedSymbol(world: Pick<RunWorld, 'settings' | 'customers'>): AssetSymbol {
  const symbols = runSymbols(world);
  const isPlayable = (symbol: AssetSymbol) => !world.customers || customerFor(world, symbol) !== undefined;
  return symbols.findLast(isPlayable) ?? symbols[0]!;
}
