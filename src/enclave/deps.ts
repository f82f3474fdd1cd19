import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Db } from '../db/open.ts';
import type { FaultInjector } from '../fault-injection/port.ts';
import type { Random } from '../kernel/random.ts';
import type { RiskScenario } from '../screening/load.ts';
import type { ProviderKeys, Screening } from '../screening/port.ts';
import type { SandboxClock } from '../timers/sandbox-clock.ts';
import type { Timers } from '../timers/timers.ts';
import type { Directory } from '../vasps/directory.ts';
import type { MailboxNotifier } from './callbacks/mailbox-notifier.ts';
import type { CallbackStore } from './callbacks/store.ts';
import type { AssessmentStore } from './risk/store.ts';
import type { VaspStore } from './vasps/store.ts';
import type { VerificationStore } from './verification/store.ts';

/** What the enclave is given. */
export interface EnclaveDeps {
  db: Db;
  clock: SandboxClock;
  random: Random;
  timers: Timers;
  directory: Directory;
  timeoutMs: Record<VaspOperation, number>;
  verifications: VerificationStore;
  callbacks: CallbackStore;
  mailboxNotifier: MailboxNotifier;
  faults: FaultInjector;
  assessments: AssessmentStore;
  risk: RiskDeps;
  vasps: VaspStore;
  /** The resident VASP has no time of its own: what concerns it runs on its counterparty's clock. */
  residentVaspId: string;
}

export interface RiskDeps {
  /** As the VASP that asks is answered. */
  screening(vaspId: string): Screening;
  /** For a VASP that has registered none of its own. */
  keys: ProviderKeys;
  /** Currency -> USD for one unit, decimal text. */
  usdRates: Record<string, string>;
  /** Which user of the robot provokes which outcome. */
  scenarios: readonly RiskScenario[];
}

/** Whose sandbox clock counts for what happens between two VASPs, seen from `vaspId`. */
export const clockOwner = (
  deps: Pick<EnclaveDeps, 'residentVaspId'>,
  vaspId: string,
  counterparty: string,
): string => (vaspId === deps.residentVaspId ? counterparty : vaspId);
