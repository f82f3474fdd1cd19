import * as z from 'zod';
import { Timestamp } from '../../contract/time.ts';
import { TIMER_KINDS } from '../../db/schema/runtime.ts';

/** `/verifications/{uuid}/timeline` */

export const Lane = z
  .enum(['tested-vasp', 'enclave', 'robot', 'chain'])
  .meta({ id: 'Lane', description: 'Who: another registered VASP stands in the lane of the robot.' });
export type Lane = z.infer<typeof Lane>;

export const TimelineEntry = z
  .object({
    at: Timestamp,
    what: z
      .string()
      .describe(
        'The machine or channel: verification, judge, assessment, callback, expectation, deposit, transfer, timer, fault, http.',
      ),
    event: z.string(),
    from: z.string().nullable().describe('State before; null: a fact, or the beginning.'),
    to: z.string().nullable().describe('State after; null: a fact.'),
    cause: z.string(),
    lane: Lane.describe('Where it happened.'),
    between: z
      .object({ from: Lane, to: Lane })
      .nullable()
      .describe('Of a message: who sent it to whom; null: it is none.'),
    detail: z
      .looseObject({})
      .optional()
      .describe(
        'http: `method`, `url`, `request`, `response`, `status`, `durationMs`. judge: `user`, `steps`. Where something was refused: `nearMiss` with `field`, `expected` and `got`.',
      ),
  })
  .meta({ id: 'TimelineEntry' });
export const PendingEntry = z
  .object({ kind: z.enum(TIMER_KINDS), dueAt: Timestamp, why: z.string(), lane: Lane })
  .meta({ id: 'PendingEntry', description: 'A timer of the verification that waits.' });
export const TimelineResponse = z
  .object({
    verificationUuid: z.string(),
    timeline: z.array(TimelineEntry),
    pending: z.array(PendingEntry).describe('What will happen by itself, next first.'),
  })
  .meta({ id: 'TimelineResponse', description: 'Everything about one verification, in order.' });
