import * as z from 'zod';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TimelineEntry } from '../timeline/schema.ts';

/** `/events` */

export const EVENT_KINDS = [
  'verification',
  'judge',
  'callback',
  'assessment',
  'expectation',
  'deposit',
  'transfer',
  'timer',
  'fault',
  'reset',
  'http',
  'clock',
  'head',
] as const;
const EventKind = z.enum(EVENT_KINDS);
export type EventKind = z.infer<typeof EventKind>;

/** Where a reader stands: the lines of the history and the exchanges that it has seen. */
export const EventPosition = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,15})?$/, { error: 'should be the `id` of an event, or 0' })
  .transform(text => {
    const [history = 0, exchange = 0] = text.split('.').map(Number);
    return { history, exchange };
  });
export type EventPosition = z.output<typeof EventPosition>;

export const EventsQuery = z
  .object({
    verificationUuid: optional(VerificationUuid).describe('Only this verification.'),
    kind: optional(
      z
        .string()
        .transform(text => text.split(','))
        .pipe(z.array(EventKind)),
    ).describe(`Only these, with commas between them: ${EVENT_KINDS.join(', ')}.`),
    after: optional(EventPosition).describe(
      'Begins behind this event, 0: with the oldest. Without it: with what happens from now on. The header `Last-Event-ID` outweighs it.',
    ),
  })
  .meta({ id: 'EventsQuery' });

const ClockMoved = z
  .object({ now: Timestamp, aheadMs: z.number().int().describe('Of the clock of the machine.') })
  .meta({ id: 'ClockMoved', description: 'Event `clock`: the time of this VASP as it is now.' });
const ChainHead = z
  .object({ symbol: z.string(), height: z.number().int(), hash: z.string() })
  .meta({ id: 'ChainHead', description: 'Event `head`: the newest block that the robot has read.' });
const Happened = TimelineEntry.extend({ verificationUuid: z.string().nullable() }).meta({
  id: 'Happened',
  description:
    'Every other event: a line of the timeline, of an exchange without its bodies. `verificationUuid` null: of none.',
});
export const EventData = z
  .union([Happened, ClockMoved, ChainHead])
  .meta({ id: 'EventData', description: 'The `data` of one event; `event` is its kind, `id` its position.' });
export type EventData = z.infer<typeof EventData>;
