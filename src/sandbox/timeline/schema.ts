import * as z from 'zod';
import { named, optional } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TIMER_KINDS } from '../../db/schema/runtime.ts';
import { calls } from '../../http/endpoint.ts';
import { nextPage } from '../parameters.ts';

/** `/verifications/{uuid}/timeline` */

export const Participant = z
  .enum(['tested-vasp', 'enclave', 'robot', 'chain'])
  .meta({
    id: 'Participant',
    description: 'A participant of the sequence diagram. Another registered VASP takes the column of the robot.',
  });
export type Participant = z.infer<typeof Participant>;

export const TimelineEntry = named('TimelineEntry', {
  at: Timestamp,
  what: z
    .string()
    .describe(
      'The subject of the entry: verification, judge, assessment, callback, expectation, deposit, transfer, report, finding, timer, fault or http.',
    ),
  event: z.string(),
  from: z.string().nullable().describe('State before the event; null: there was none.'),
  to: z.string().nullable().describe('State after the event; null: no state changed.'),
  cause: z.string(),
  lane: Participant.describe('The participant at which it happened.'),
  between: z
    .object({ from: Participant, to: Participant })
    .nullable()
    .describe('Sender and receiver of a message; null: the entry is no message.'),
  detail: z
    .looseObject({})
    .optional()
    .describe(
      'http: `exchangeId`, `operation`, `method`, `url`, `headers`, `request`, `responseHeaders`, `response`, `status`, `durationMs`, `connectMs`. judge: `user`, `steps`. report: `txHash`, `vout`, `expected`, `got`. finding: `clause`, `field`, `expected`, `got`. verification: `reason`, unless it is OK. After a refusal or a denial: `nearMiss` with `field`, `expected` and `got`.',
    ),
});
export const PendingEntry = named('PendingEntry', 'A pending timer of the verification.', {
  kind: z.enum(TIMER_KINDS),
  dueAt: Timestamp,
  why: z.string(),
  lane: Participant,
});
/** Of one page. */
export const MAX_ENTRIES = 200;

/** The oldest event and the oldest exchange of the previous page. */
const TimelinePosition = z
  .string()
  .regex(/^\d{1,16}-\d{1,16}$/, { error: 'should be a position from a previous answer' })
  .transform(text => {
    const [event, exchange] = text.split('-').map(Number);
    return { event: event!, exchange: exchange! };
  });
export const TimelineQuery = named('TimelineQuery', {
  before: optional(TimelinePosition).describe('Only earlier entries: `next` of the previous answer.'),
  limit: z
    .string()
    .regex(/^([1-9]\d?|1\d\d|200)$/, { error: `should be a whole number from 1 to ${MAX_ENTRIES}` })
    .transform(Number)
    .default(MAX_ENTRIES)
    .describe('The most entries of an answer, which also ends at about 512 KiB of bodies.'),
});
export type TimelineQuery = { before: { event: number; exchange: number }; limit: number };
export const TimelineResponse = named(
  'TimelineResponse',
  'What happened in one verification: its newest entries before the position, in order. Of a long verification the events of its first 100 and its newest 1,900 steps are kept.',
  {
    verificationUuid: z.string(),
    timeline: z.array(TimelineEntry),
    next: nextPage('before'),
    pending: z.array(PendingEntry).describe('The pending timers, next first.'),
  },
);

export const timelineCalls = calls({ timeline: { query: TimelineQuery, response: TimelineResponse } });
