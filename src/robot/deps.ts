import type { Chain, Head } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { Db } from '../db/open.ts';
import type { Enclave } from '../enclave/port.ts';
import type { Log } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { SandboxClock } from '../timers/sandbox-clock.ts';
import type { Timers } from '../timers/timers.ts';
import type { ListedOriginator } from './judge/subject.ts';
import type { Users } from './users/users.ts';

/** The parts that the robot needs. It reaches other VASPs only through the enclave. */
export interface RobotDeps {
  db: Db;
  clock: SandboxClock;
  timers: Timers;
  log: Log;
  random: Random;
  vaspId: CallerId;
  /** Many VASPs that do not know each other. */
  isHosted: boolean;
  enclave: Enclave;
  /** Loaded on first use: the adapters are the heaviest part of the program. */
  chain(symbol: AssetSymbol): Promise<Chain>;
  /** The newest block that the chain has at this moment. Many callers at once are one call. Throws `ChainUnreachable`. */
  headOf(symbol: AssetSymbol): Promise<Head>;
  /** Runs the works of one name one after the other. */
  oneByOne<T>(name: string, work: () => Promise<T>): Promise<T>;
  users: Users;
  listedOriginators: readonly ListedOriginator[];
  walletSettings(symbol: AssetSymbol): WalletSettings;
  /** D-26: how often balances are compared with the known payments. */
  reconcileMs(symbol: AssetSymbol): number;
  /** When a chain that has announced nothing is read again. */
  rereadMs: number;
  /** REF-8, D-17. */
  inquiry: { waitMs: number; intervalMs: number; windowMs: number };
  /** The enclave's time limit for a user verification. Users with ANSWERS-LATE answer after it. */
  userTimeoutMs: number;
}

export interface WalletSettings {
  /** Time between two lookups of a transfer that is not final. */
  trackEveryMs: number;
  /** Time from the broadcast to the first lookup. Default: `trackEveryMs`. */
  trackFirstMs?: number;
  /** Waiting time after the chain could not be reached. */
  retryMs: number;
  /** Ethereum: how long a transaction may wait before one with a higher fee replaces it. */
  stuckAfterMs: number;
  /** Waiting time of a wallet with too little money. */
  lowFundsRetryMs: number;
  /** D-31, Ethereum by URL: index of the account that pays the fees of the others. */
  treasuryIndex?: number | undefined;
  /** Embedded chains: pays base units to an account of the robot, for amounts and fees. */
  fund?: ((account: string, units: bigint) => Promise<unknown>) | undefined;
}
