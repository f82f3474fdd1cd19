import * as z from 'zod';
import { Timestamp } from '../../contract/time.ts';

/** `/verifications/{uuid}/timeline` */

export const TimelineEntry = z
  .object({
    at: Timestamp,
    what: z
      .string()
      .describe(
        'The machine or channel: verification, judge, assessment, callback, expectation, deposit, http.',
      ),
    event: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    cause: z.string(),
    detail: z.unknown().optional(),
  })
  .meta({ id: 'TimelineEntry' });
export const TimelineResponse = z
  .object({ verificationUuid: z.string(), timeline: z.array(TimelineEntry) })
  .meta({ id: 'TimelineResponse', description: 'Everything about one verification, in order.' });
