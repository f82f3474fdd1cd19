import type { CallerId } from '../contract/tenancy.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Db } from '../db/open.ts';
import type { Tx } from '../db/transaction.ts';
import type { FaultInjector } from '../fault-injection/port.ts';
import type { Random } from '../kernel/random.ts';
import type { RiskScenario } from '../screening/load.ts';
import type { ProviderKeys, Screening } from '../screening/port.ts';
import type { SandboxClock } from '../timers/sandbox-clock.ts';
import type { Timers } from '../timers/timers.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import type { Directory } from '../vasps/directory.ts';
import type { CallbackSigner } from '../vasps/http-client.ts';
import type { Waiters } from './callbacks/waiters.ts';
import type { Thresholds } from './findings/findings.ts';
import type { ForeignEnclave } from './http-enclave/foreign-enclave.ts';
import type { SigningSecrets } from './vasps/signing-store.ts';
import type { VaspStore } from './vasps/store.ts';

/** The parts that the enclave needs. The composition root provides them. */
export interface EnclaveDeps {
  db: Db;
  clock: SandboxClock;
  random: Random;
  timers: Timers;
  directory: Directory;
  timeoutMs: Record<VaspOperation, number>;
  waiters: Waiters;
  faults: FaultInjector;
  risk: RiskDeps;
  /** When `isExceedingThreshold` has to be true. */
  thresholds: Thresholds;
  vasps: VaspStore;
  guard: CallGuard;
  signing: { secrets: SigningSecrets; signer: CallbackSigner };
  /** The VASP inside this process. It has no sandbox clock of its own. */
  residentVaspId: CallerId;
  /** Many VASPs that do not know each other. */
  isHosted: boolean;
  /** Before a verification is stored that this VASP has ordered, in that transaction. Throws `Refusal` quota-exceeded. */
  beforeVerifying(tx: Tx, vaspId: string): void;
  /** Before a report of this VASP to another registered one is stored, likewise. */
  beforeReporting(tx: Tx, vaspId: string): void;
  /** The enclave that leads, of whose verifications this one keeps copies. Undefined: this one leads. */
  foreign?: ForeignEnclave | undefined;
}

export interface RiskDeps {
  screening(vaspId: string): Screening;
  /** The keys of a VASP that has registered none of its own. */
  keys: ProviderKeys;
  /** Currency -> USD for one unit, decimal text. */
  usdRates: Record<string, string>;
  scenarios: readonly RiskScenario[];
}

/** The VASP on whose sandbox clock `vaspId` works. The resident VASP works on the clock of its counterparty. */
export const clockOwner = (deps: EnclaveDeps, vaspId: string, counterparty: string): string =>
  vaspId === deps.residentVaspId ? counterparty : vaspId;

/** The time on that clock, epoch ms. */
export const nowFor = (deps: EnclaveDeps, vaspId: string, counterparty: string): number =>
  deps.clock.now(clockOwner(deps, vaspId, counterparty));
