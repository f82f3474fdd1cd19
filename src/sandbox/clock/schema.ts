import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { optional, VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TIMER_KINDS } from '../../db/schema/runtime.ts';
import { calls } from '../../http/endpoint.ts';
import { duration, limit, nextPage, total } from '../parameters.ts';

/** `/clock`, `/timers` */

const MAX_ADVANCE_MS = 366 * 86_400_000;

export const AdvanceRequest = named('AdvanceRequest', 'Time by which to move the clock of this VASP forward.', {
  duration: duration(MAX_ADVANCE_MS),
});

const FiredTimer = named('FiredTimer', { kind: z.enum(TIMER_KINDS), key: z.string(), dueAt: Timestamp });
const Counts = z
  .partialRecord(z.enum(TIMER_KINDS), z.number().int())
  .meta({ id: 'FiredCounts', description: 'Number of fired timers of each kind.' });
export const ClockNow = z.object({
  now: Timestamp,
  aheadMs: z.number().int().describe("Time by which the clock of the VASP is ahead of the machine's."),
  advancing: Counts.nullable().describe('The timers that the running advance has fired so far; null: none is running.'),
});
export const ClockResponse = ClockNow.meta({ id: 'ClockResponse', description: 'The time of this VASP.' });
/** The robots whose clock stays where it is, with the cause. */
export const Behind = z
  .array(z.object({ vaspId: z.string(), name: z.string(), why: z.string() }))
  .describe('Robots that have joined and could not be reached for it. The next call brings them to this time.');
export const AdvanceResponse = named(
  'AdvanceResponse',
  'The new time and the timers that ran on the way, in order, also those of robots that have joined.',
  {
    now: Timestamp,
    fired: z.array(FiredTimer).describe('At most 1000 of them, the first ones.'),
    counts: Counts,
    behind: Behind,
  },
);

/** For a robot that has joined: the time of a VASP at its enclave. */
export const FollowRequest = z.object({
  vaspId: VaspId,
  aheadMs: z.number().int().nonnegative(),
  /** The data of the VASP are deleted first, as at the enclave. */
  isReset: z.boolean(),
});
/** `nextAheadMs`: where the next timer of the VASP is due. Null: it has none. */
export const FollowResponse = z.object({
  fired: z.array(z.object({ kind: z.enum(TIMER_KINDS), key: z.string(), dueAt: z.number() })),
  counts: Counts,
  nextAheadMs: z.number().nullable(),
});
export const TimersQuery = named('TimersQuery', {
  limit,
  after: optional(
    z
      .string()
      .regex(/^\d{1,15}\.\d{1,15}$/, { error: 'should be a position from a previous answer' })
      .transform(text => text.split('.').map(Number) as [number, number])
      .transform(([dueAt, id]) => ({ dueAt, id })),
  ).describe('Position to read on from: `next` of the previous answer.'),
});
export const TimersResponse = named('TimersResponse', 'The pending timers, next first.', {
  timers: z.array(
    FiredTimer.extend({
      why: z.string(),
      attempts: z.number().int(),
      lastError: z.string().nullable().describe('Why the last attempt failed; null: no attempt failed.'),
    }),
  ),
  next: nextPage('after'),
  total,
});

export const clockCalls = calls({
  clock: { response: ClockResponse },
  advance: { body: AdvanceRequest, response: AdvanceResponse },
  timers: { query: TimersQuery, response: TimersResponse },
});
