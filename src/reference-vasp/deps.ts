import type { Client } from '../client/client.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { Customers } from '../contract/customers.ts';
import type { Log } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { Ledgers } from './customers.ts';
import type { SandboxClock, Store, Tasks } from './store.ts';

/** The VASP's own timers, in milliseconds of its clock. */
export interface Waits {
  /** From VERIFIED to the first status inquiry, when no report comes. */
  readonly inquiryMs: number;
  /** Between the first two status inquiries. Later ones wait longer. */
  readonly inquiryIntervalMs: number;
  /** From VERIFIED to the last status inquiry. */
  readonly inquiryWindowMs: number;
  /** Between two attempts of an act that has failed, and between two looks at a ledger, in real time. It grows. */
  readonly retryMs: number;
}

/** Every part of the VASP receives these. */
export interface VaspDeps {
  readonly enclave: Client;
  readonly ledgers: Ledgers;
  readonly customers: Customers;
  readonly store: Store;
  readonly tasks: Tasks;
  readonly clock: SandboxClock;
  readonly random: Random;
  readonly log: Log;
  readonly waits: Waits;
  /** Settles when the faucet has paid, or has not. */
  funded: Promise<void>;
  /** Again, where the account has nothing: its embedded ledger has started over. */
  fund(symbol: AssetSymbol, customer: number): Promise<void>;
}
