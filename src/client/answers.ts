import type * as z from 'zod';
import type { KNOBS } from '../contract/knobs.ts';
import type { RunRequest, RunsResponse } from '../contract/plans.ts';
import type { AssessmentsResponse } from '../sandbox/assessments/schema.ts';
import type { BalancesResponse } from '../sandbox/balances/schema.ts';
import type { CallbackEntry, CallbacksResponse, MailboxResponse } from '../sandbox/callbacks/schema.ts';
import type { KnobResponse, ResumeResponse } from '../sandbox/chains/schema.ts';
import type { CheckRequest, CheckResponse } from '../sandbox/checks/schema.ts';
import type { AdvanceResponse, ClockResponse, TimersResponse } from '../sandbox/clock/schema.ts';
import type { DepositsResponse } from '../sandbox/deposits/schema.ts';
import type { EventData } from '../sandbox/events/schema.ts';
import type { ExchangesResponse } from '../sandbox/exchanges/schema.ts';
import type { FaultEntry, FaultRequest, FaultsRemoved, FaultsResponse } from '../sandbox/faults/schema.ts';
import type { HealthResponse } from '../sandbox/health/schema.ts';
import type { InfoResponse } from '../sandbox/info/schema.ts';
import type { Ivms101CheckResponse } from '../sandbox/ivms101/schema.ts';
import type { ReferenceVaspState } from '../sandbox/reference-vasp/schema.ts';
import type { ReadyRequest, ScenariosResponse } from '../sandbox/scenarios/schema.ts';
import type { RollResponse } from '../sandbox/signing/schema.ts';
import type { StatisticsResponse } from '../sandbox/statistics/schema.ts';
import type { TimelineResponse } from '../sandbox/timeline/schema.ts';
import type { TransferRequest, TransferResponse, TransfersResponse } from '../sandbox/transfers/schema.ts';
import type { UserRequest, UsersRemoved, UsersResponse } from '../sandbox/users/schema.ts';
import type { RegisteredVasp, VaspPatch, VaspRequest, VaspsResponse } from '../sandbox/vasps/schema.ts';
import type { NeighboursResponse, VerificationsResponse } from '../sandbox/verifications/schema.ts';
import type { WhyResponse } from '../sandbox/why/schema.ts';
import type { AuditResponse } from '../tenants/audit/schema.ts';
import type { InvitationsResponse, NewInvitation } from '../tenants/invitations/schema.ts';
import type { KeyRequest, KeysResponse, NewKey } from '../tenants/keys/schema.ts';
import type { UsageResponse } from '../tenants/usage/schema.ts';
import type {
  Tenant,
  TenantExport,
  TenantImported,
  TenantPatch,
  TenantsResponse,
} from '../tenants/vasps/schema.ts';

/** Answers of `/sandbox/v1`, from the schemas that document them. */
export interface SandboxAnswers {
  info: z.infer<typeof InfoResponse>;
  users: z.infer<typeof UsersResponse>;
  usersRemoved: z.infer<typeof UsersRemoved>;
  clock: z.infer<typeof ClockResponse>;
  advance: z.infer<typeof AdvanceResponse>;
  timers: z.infer<typeof TimersResponse>;
  ivms101Check: z.infer<typeof Ivms101CheckResponse>;
  scenarios: z.infer<typeof ScenariosResponse>;
  timeline: z.infer<typeof TimelineResponse>;
  why: WhyResponse;
  signingSecret: z.infer<typeof RollResponse>;
  callbacks: z.infer<typeof CallbacksResponse>;
  callback: z.infer<typeof CallbackEntry>;
  mailbox: z.infer<typeof MailboxResponse>;
  exchanges: z.infer<typeof ExchangesResponse>;
  faults: z.infer<typeof FaultsResponse>;
  fault: z.infer<typeof FaultEntry>;
  faultsRemoved: z.infer<typeof FaultsRemoved>;
  assessments: z.infer<typeof AssessmentsResponse>;
  deposits: z.infer<typeof DepositsResponse>;
  verifications: z.infer<typeof VerificationsResponse>;
  statistics: z.infer<typeof StatisticsResponse>;
  neighbours: z.infer<typeof NeighboursResponse>;
  transfer: TransferResponse;
  transfers: z.infer<typeof TransfersResponse>;
  balances: z.infer<typeof BalancesResponse>;
  health: z.infer<typeof HealthResponse>;
  event: EventData;
  knob: z.infer<typeof KnobResponse>;
  resumed: z.infer<typeof ResumeResponse>;
  readyRequest: z.infer<typeof ReadyRequest>;
  vasp: z.infer<typeof RegisteredVasp>;
  vasps: z.infer<typeof VaspsResponse>;
  checks: z.infer<typeof CheckResponse>;
  runs: z.infer<typeof RunsResponse>;
  referenceVasp: z.infer<typeof ReferenceVaspState>;
  usage: z.infer<typeof UsageResponse>;
  keys: z.infer<typeof KeysResponse>;
  newKey: z.infer<typeof NewKey>;
  tenants: z.infer<typeof TenantsResponse>;
  tenant: z.infer<typeof Tenant>;
  tenantExport: z.infer<typeof TenantExport>;
  tenantImported: z.infer<typeof TenantImported>;
  invitation: z.infer<typeof NewInvitation>;
  invitations: z.infer<typeof InvitationsResponse>;
  audit: z.infer<typeof AuditResponse>;
}

export type { RunReport } from '../contract/plans.ts';
export type { ScenarioGroup } from '../sandbox/scenarios/schema.ts';
export type Info = SandboxAnswers['info'];
export type RobotUser = Info['users'][number];
export type UserChange = z.input<typeof UserRequest>;
export type FaultOrder = z.input<typeof FaultRequest>;
export type VaspRegistration = z.input<typeof VaspRequest>;
export type VaspChange = z.input<typeof VaspPatch>;
export type RunOrder = z.input<typeof RunRequest>;
export type TransferOrder = z.input<typeof TransferRequest>;
export type KeyOrder = z.input<typeof KeyRequest>;
export type TenantChange = z.input<typeof TenantPatch>;
export type CheckOptions = z.input<typeof CheckRequest>;
export type KnobName<S extends keyof typeof KNOBS> = keyof (typeof KNOBS)[S];
