import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { Timestamp } from '../../contract/time.ts';
import { TIMER_KINDS } from '../../db/schema/runtime.ts';
import { calls } from '../../http/endpoint.ts';

/** `/verifications/{uuid}/timeline` */

export const Participant = z.enum(['tested-vasp', 'enclave', 'robot', 'chain']).meta({
  id: 'Participant',
  description:
    'A participant of the sequence diagram. Another registered VASP takes the column of the robot.',
});
export type Participant = z.infer<typeof Participant>;

export const TimelineEntry = named('TimelineEntry', {
  at: Timestamp,
  what: z
    .string()
    .describe(
      'The subject of the entry: verification, judge, assessment, callback, expectation, deposit, transfer, report, remark, timer, fault or http.',
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
      'http: `exchangeId`, `operation`, `method`, `url`, `headers`, `request`, `responseHeaders`, `response`, `status`, `durationMs`, `connectMs`. judge: `user`, `steps`. report: `txHash`, `vout`, `expected`, `got`. remark: `clause`, `field`, `expected`, `got`. verification: `reason`, unless it is OK. After a refusal or a denial: `nearMiss` with `field`, `expected` and `got`.',
    ),
});
export const PendingEntry = named('PendingEntry', 'A pending timer of the verification.', {
  kind: z.enum(TIMER_KINDS),
  dueAt: Timestamp,
  why: z.string(),
  lane: Participant,
});
export const TimelineResponse = named(
  'TimelineResponse',
  'Everything that happened in one verification, in order.',
  {
    verificationUuid: z.string(),
    timeline: z.array(TimelineEntry),
    pending: z.array(PendingEntry).describe('The pending timers, next first.'),
  },
);

export const timelineCalls = calls({
  timeline: { response: TimelineResponse },
});
