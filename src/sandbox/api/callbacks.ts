import * as z from 'zod';
import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { duration, limit, position } from './parameters.ts';

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

export const CallbacksQuery = z
  .object({
    verificationUuid: optional(VerificationUuid),
    after: optional(position).describe('`id` of the last one that was read.'),
    limit,
  })
  .meta({ id: 'CallbacksQuery' });
const Attempt = z.object({
  at: Timestamp,
  status: z.number().int().nullable(),
  durationMs: z.number().int(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});
export const CallbackEntry = z
  .object({
    id: z.string(),
    callbackType: z.enum(CALLBACK_TYPES),
    verificationUuid: z.string(),
    status: z.enum(['PENDING', 'DELIVERED', 'GIVEN-UP', 'MAILBOX']),
    data: z.looseObject({}),
    createdAt: Timestamp,
    attempts: z.array(Attempt),
  })
  .meta({ id: 'CallbackEntry', description: 'One callback with every attempt.' });
export const CallbacksResponse = z
  .object({ callbacks: z.array(CallbackEntry) })
  .meta({ id: 'CallbacksResponse' });
