import * as z from 'zod';
import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { named } from '../../contract/named.ts';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { duration, limit, position, readOnFrom, total } from '../parameters.ts';

/** `/mailbox`, `/callbacks` */

const MAX_WAIT_MS = 60_000;

export const MailboxQuery = named('MailboxQuery', {
  wait: optional(duration(MAX_WAIT_MS)).describe('Longest wait for the first callback; at most 60s.'),
  after: readOnFrom,
  type: optional(z.enum(CALLBACK_TYPES)).describe('Only callbacks of this type.'),
  verificationUuid: optional(VerificationUuid),
});
export const MailboxResponse = named('MailboxResponse', 'The callbacks of this VASP, oldest first.', {
  callbacks: z.array(
    z.object({ id: z.string(), callbackType: z.enum(CALLBACK_TYPES), data: z.looseObject({}), at: Timestamp }),
  ),
  next: z.string().describe('Send it as `after` to read on.'),
});

export const CallbackStatus = z.enum(['PENDING', 'DELIVERED', 'GIVEN-UP', 'MAILBOX']);
export const CallbacksQuery = named('CallbacksQuery', {
  verificationUuid: optional(VerificationUuid),
  type: optional(z.enum(CALLBACK_TYPES)).describe('Only callbacks of this type.'),
  status: optional(CallbackStatus).describe('Only callbacks with this status.'),
  order: z.enum(['oldest', 'newest']).default('oldest').describe('The order of the callbacks.'),
  after: optional(position).describe('Only later callbacks: `next` of the previous answer with order `oldest`.'),
  before: optional(position).describe('Only earlier callbacks: `next` of the previous answer with order `newest`.'),
  limit: limit.describe('The most callbacks of an answer, which also ends at about 512 KiB of bodies.'),
});
const Attempt = z.object({
  at: Timestamp,
  url: z.string().nullable().describe('null: nothing was sent.'),
  request: z.string().nullable().describe('The body that was sent.'),
  status: z.number().int().nullable().describe('null: there was no answer; `error` says why.'),
  durationMs: z.number().int(),
  error: z.string().nullable(),
  answer: z.string().nullable().describe('The body of the answer, its first 2,000 characters.'),
});
export const CallbackEntry = named(
  'CallbackEntry',
  'One callback with its attempts: the first one and the newest 50.',
  {
    id: z.string(),
    callbackType: z.enum(CALLBACK_TYPES),
    verificationUuid: z.string(),
    status: CallbackStatus,
    data: z.looseObject({}),
    createdAt: Timestamp,
    attempts: z.array(Attempt),
  },
);
export const CallbacksResponse = named('CallbacksResponse', {
  callbacks: z.array(CallbackEntry),
  next: z
    .string()
    .nullable()
    .describe('Position to read on from, in the requested order; null: this is the last page.'),
  total,
});

export const callbackCalls = calls({
  callbacks: { query: CallbacksQuery, response: CallbacksResponse },
  replay: { response: CallbackEntry },
  mailbox: { query: MailboxQuery, response: MailboxResponse },
});
