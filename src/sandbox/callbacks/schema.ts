import * as z from 'zod';
import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { duration, limit, position } from '../parameters.ts';

/** `/mailbox`, `/callbacks` */

const LONGEST_WAIT_MS = 60_000;

export const MailboxQuery = z
  .object({
    wait: optional(duration(LONGEST_WAIT_MS)).describe('How long to wait for the first one; at most 60s.'),
    after: optional(position).describe('`next` of the answer before.'),
    type: optional(z.enum(CALLBACK_TYPES)),
    verificationUuid: optional(VerificationUuid),
  })
  .meta({ id: 'MailboxQuery' });
export const MailboxResponse = z
  .object({
    callbacks: z.array(
      z.object({
        id: z.string(),
        callbackType: z.enum(CALLBACK_TYPES),
        data: z.looseObject({}),
        at: Timestamp,
      }),
    ),
    next: z.string().describe('Give it as `after` to read on.'),
  })
  .meta({ id: 'MailboxResponse', description: 'The callbacks of this VASP, oldest first.' });

const CallbackStatus = z.enum(['PENDING', 'DELIVERED', 'GIVEN-UP', 'MAILBOX']);
export const CallbacksQuery = z
  .object({
    verificationUuid: optional(VerificationUuid),
    type: optional(z.enum(CALLBACK_TYPES)),
    status: optional(CallbackStatus),
    order: z.enum(['oldest', 'newest']).default('oldest').describe('Which one comes first.'),
    after: optional(position).describe('Only later ones: `next` of the answer before, oldest first.'),
    before: optional(position).describe('Only earlier ones: `next` of the answer before, newest first.'),
    limit,
  })
  .meta({ id: 'CallbacksQuery' });
const Attempt = z.object({
  at: Timestamp,
  url: z.string().nullable().describe('null: nothing was sent.'),
  request: z.string().nullable().describe('The body that was sent.'),
  status: z.number().int().nullable().describe('null: no answer came; `error` says why.'),
  durationMs: z.number().int(),
  error: z.string().nullable(),
  answer: z.string().nullable().describe('The body that came back.'),
});
export const CallbackEntry = z
  .object({
    id: z.string(),
    callbackType: z.enum(CALLBACK_TYPES),
    verificationUuid: z.string(),
    status: CallbackStatus,
    data: z.looseObject({}),
    createdAt: Timestamp,
    attempts: z.array(Attempt),
  })
  .meta({ id: 'CallbackEntry', description: 'One callback with every attempt.' });
export const CallbacksResponse = z
  .object({
    callbacks: z.array(CallbackEntry),
    next: z
      .string()
      .nullable()
      .describe('Where to read on, in the order asked for; null: there are no more.'),
  })
  .meta({ id: 'CallbacksResponse' });
