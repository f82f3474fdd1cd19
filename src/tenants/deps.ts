import type { Quotas } from '../contract/tenancy.ts';
import type { Random } from '../kernel/random.ts';
import type { rateLimit, tally } from '../kernel/rate-limit.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import type { AuditStore, KeyStore, OpenConnections, TenantStore, TrialStore, UsageStore } from './store.ts';

export interface TenantSettings {
  /** SHA-256 of the operator's key, hexadecimal. */
  operatorKeyHash: string;
  registration: 'closed' | 'invite' | 'trial' | 'open';
  cell: string;
  /** 0: for ever. */
  auditRetentionMs: number;
  /** Of a VASP without quotas of its own. */
  quotas: Quotas;
}

export interface TenantsDeps extends Pick<SandboxDeps, 'db'> {
  settings: TenantSettings;
  random: Random;
  /** The clock of the machine, epoch milliseconds. No VASP moves it. */
  now(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  tenants: TenantStore;
  keys: KeyStore;
  trials: TrialStore;
  usage: UsageStore;
  audit: AuditStore;
  connections: OpenConnections;
  /** The requests of each VASP that have not ended. */
  underWay: ReturnType<typeof tally>;
  /** Registrations and wrong invitations of each network. */
  strangers: ReturnType<typeof rateLimit>;
  /** The verbs of the sandbox need these. */
  sandbox: SandboxDeps;
}
