import * as z from 'zod';
import { named, optional, VerificationUuid } from '../../contract/text.ts';
import { HISTORY_MACHINES } from '../../db/schema/runtime.ts';
import { calls } from '../../http/endpoint.ts';
import { ClockNow } from '../clock.ts';
import { TimelineEntry } from '../timeline/schema.ts';

/** `/events` */

export const EVENT_KINDS = [...HISTORY_MACHINES, 'http', 'clock', 'head', 'faults'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
const ANY_KIND = EVENT_KINDS.join('|');

/** The position of a reader: ids of the last history entry and of the last exchange. */
export const EventPosition = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,15})?$/, { error: 'should be the `id` of an event, or 0' })
  .transform(text => {
    const [history = 0, exchange = 0] = text.split('.').map(Number);
    return { history, exchange };
  });
export type EventPosition = z.output<typeof EventPosition>;

export const EventsQuery = named('EventsQuery', {
  verificationUuid: optional(VerificationUuid).describe('Only events of this verification.'),
  kind: optional(
    z
      .string()
      .max(1_024)
      .regex(new RegExp(`^(?:${ANY_KIND})(?:,(?:${ANY_KIND}))*$`), {
        error: `should be one or more of ${EVENT_KINDS.join(', ')}, separated by commas`,
      })
      .transform(text => text.split(',') as EventKind[]),
  ).describe(`Only these kinds, separated by commas: ${EVENT_KINDS.join(', ')}.`),
  after: optional(EventPosition).describe(
    'Starts after the event of this id; 0 starts with the oldest event. Default: only new events. The header `Last-Event-ID` takes precedence.',
  ),
});

const ClockMoved = ClockNow.meta({
  id: 'ClockMoved',
  description: 'Event `clock`: the current time of this VASP, and the progress of an advance.',
});
const ChainHead = named('ChainHead', 'Event `head`: the newest block that the robot has read.', {
  symbol: z.string(),
  height: z.number().int(),
  hash: z.string(),
});
const ActiveFaults = named(
  'ActiveFaults',
  'Event `faults`: the active faults of this VASP after one was ordered, removed or used up.',
  { active: z.array(z.string()).describe('Ids of the faults.') },
);
const Happened = TimelineEntry.extend({ verificationUuid: z.string().nullable() }).meta({
  id: 'Happened',
  description:
    'Every other event: an entry of the timeline, without the bodies of exchanges. `verificationUuid` null: it belongs to no verification.',
});
export const EventData = z
  .union([Happened, ClockMoved, ChainHead, ActiveFaults])
  .meta({
    id: 'EventData',
    description: 'The `data` of an event. The field `event` is its kind, `id` is its position.',
  });
export type EventData = z.infer<typeof EventData>;

export const eventCalls = calls({ events: { query: EventsQuery, response: EventData } });
