import type * as z from 'zod';
import type { AssessmentsResponse } from '../sandbox/api/assessments.ts';
import type { BalancesResponse } from '../sandbox/api/balances.ts';
import type { CallbackEntry, CallbacksResponse, MailboxResponse } from '../sandbox/api/callbacks.ts';
import type { CheckRequest, CheckResponse } from '../sandbox/api/checks.ts';
import type { AdvanceResponse, TimersResponse } from '../sandbox/api/clock.ts';
import type { DepositsResponse } from '../sandbox/api/deposits.ts';
import type { EventData } from '../sandbox/api/events.ts';
import type { ExchangesResponse } from '../sandbox/api/exchanges.ts';
import type { FaultEntry, FaultRequest, FaultsRemoved, FaultsResponse } from '../sandbox/api/faults.ts';
import type { HealthResponse } from '../sandbox/api/health.ts';
import type { InfoResponse } from '../sandbox/api/info.ts';
import type { KNOBS, KnobResponse } from '../sandbox/api/knobs.ts';
import type { ReadyRequest } from '../sandbox/api/requests.ts';
import type { ScenariosResponse } from '../sandbox/api/scenarios.ts';
import type { TimelineResponse } from '../sandbox/api/timeline.ts';
import type { TransfersResponse } from '../sandbox/api/transfers.ts';
import type { UserRequest, UsersRemoved, UsersResponse } from '../sandbox/api/users.ts';
import type { RegisteredVasp, VaspPatch, VaspRequest, VaspsResponse } from '../sandbox/api/vasps.ts';
import type { VerificationsResponse } from '../sandbox/api/verifications.ts';

/** Answers of `/sandbox/v1`, from the schemas that document them. */
export interface SandboxAnswers {
  info: z.infer<typeof InfoResponse>;
  users: z.infer<typeof UsersResponse>;
  usersRemoved: z.infer<typeof UsersRemoved>;
  advance: z.infer<typeof AdvanceResponse>;
  timers: z.infer<typeof TimersResponse>;
  scenarios: z.infer<typeof ScenariosResponse>;
  timeline: z.infer<typeof TimelineResponse>;
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
  transfers: z.infer<typeof TransfersResponse>;
  balances: z.infer<typeof BalancesResponse>;
  health: z.infer<typeof HealthResponse>;
  event: EventData;
  knob: z.infer<typeof KnobResponse>;
  readyRequest: z.infer<typeof ReadyRequest>;
  vasp: z.infer<typeof RegisteredVasp>;
  vasps: z.infer<typeof VaspsResponse>;
  checks: z.infer<typeof CheckResponse>;
}

export type Info = SandboxAnswers['info'];
export type RobotUser = Info['users'][number];
export type UserChange = z.input<typeof UserRequest>;
export type FaultOrder = z.input<typeof FaultRequest>;
export type VaspRegistration = z.input<typeof VaspRequest>;
export type VaspChange = z.input<typeof VaspPatch>;
export type CheckWish = z.input<typeof CheckRequest>;
export type KnobName<S extends keyof typeof KNOBS> = keyof (typeof KNOBS)[S];
