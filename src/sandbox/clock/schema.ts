import * as z from 'zod';
import { Timestamp } from '../../contract/time.ts';
import { TIMER_KINDS } from '../../db/schema/runtime.ts';
import { duration } from '../parameters.ts';

/** `/clock`, `/timers` */

const MAX_ADVANCE_MS = 366 * 86_400_000;

export const AdvanceRequest = z
  .object({ duration: duration(MAX_ADVANCE_MS) })
  .meta({ id: 'AdvanceRequest', description: 'How far to move the time of this VASP forward.' });

const FiredTimer = z
  .object({ kind: z.enum(TIMER_KINDS), key: z.string(), dueAt: Timestamp })
  .meta({ id: 'FiredTimer' });
export const ClockResponse = z
  .object({
    now: Timestamp,
    aheadMs: z.number().int().describe("How far the time of the VASP is ahead of the machine's time."),
  })
  .meta({ id: 'ClockResponse', description: 'The time of this VASP.' });
export const AdvanceResponse = z
  .object({ now: Timestamp, fired: z.array(FiredTimer) })
  .meta({ id: 'AdvanceResponse', description: 'The new time and the timers that ran on the way, in order.' });
export const TimersResponse = z
  .object({
    timers: z.array(
      FiredTimer.extend({
        why: z.string(),
        attempts: z.number().int(),
        lastError: z.string().nullable().describe('Why the last attempt failed; null: no attempt failed.'),
      }),
    ),
  })
  .meta({ id: 'TimersResponse', description: 'The pending timers, next first.' });
