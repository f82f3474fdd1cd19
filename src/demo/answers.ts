import type * as z from 'zod';
import type * as shape from '../sandbox/requests.ts';

/** Answers of `/sandbox/v1`, from the schemas that document them. */
export interface SandboxAnswers {
  info: z.infer<typeof shape.InfoResponse>;
  advance: z.infer<typeof shape.AdvanceResponse>;
  timers: z.infer<typeof shape.TimersResponse>;
  timeline: z.infer<typeof shape.TimelineResponse>;
  callbacks: z.infer<typeof shape.CallbacksResponse>;
  callback: z.infer<typeof shape.CallbackEntry>;
  mailbox: z.infer<typeof shape.MailboxResponse>;
  exchanges: z.infer<typeof shape.ExchangesResponse>;
  assessments: z.infer<typeof shape.AssessmentsResponse>;
  deposits: z.infer<typeof shape.DepositsResponse>;
  vasp: z.infer<typeof shape.RegisteredVasp>;
}

export type Info = SandboxAnswers['info'];
export type RobotUser = Info['users'][number];
export type CallbackEntry = SandboxAnswers['callback'];
export type VaspRegistration = z.input<typeof shape.VaspRequest>;
