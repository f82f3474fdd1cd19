import * as z from 'zod';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { MAX_COUNTED, named, optional, VerificationUuid } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import type { CallbackAttempt, ListedCallback } from '../enclave/control.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { grouped, pick } from '../kernel/members.ts';
import type { SandboxDeps } from './deps.ts';
import { duration, limit, MAX_WAIT_MS, POSITION, places, position, readOnFrom, total } from './parameters.ts';

export const callbackEndpoints = (deps: SandboxDeps, waiting = places('waiting reads of the mailbox')): Endpoint[] => [
  control(callbackCalls.callbacks, {
    summary: 'List callbacks with every attempt to deliver them',
    run: ({ query }, caller) => listCallbacks(deps, query, caller),
  }),
  control(callbackCalls.replay, {
    summary: 'Send a callback again, or a PENDING one at once',
    refusals: ['not-found'],
    precondition: 'callback-sent',
    run({ params: { id } }, caller) {
      if (!POSITION.test(id)) throw refusals.notFound('Callback', id, '/sandbox/v1/callbacks');
      const row = deps.enclave.replayCallback(Number(id), caller);
      return presentCallback(row, deps.enclave.callbackAttempts([row]));
    },
  }),
  control(callbackCalls.mailbox, {
    summary: 'Read the callbacks of this VASP by long polling',
    refusals: ['too-many'],
    async run({ query: { wait = 0, after = 0, ...query }, signal }, caller) {
      const rows = await waiting.wait(wait, [signal(), deps.stopping], until =>
        deps.enclave.waitForCallbacks({ ...query, after, limit: MAX_PER_ANSWER }, caller, until),
      );
      return {
        callbacks: rows.map(row => ({
          id: String(row.id),
          ...pick(row, 'callbackType', 'data'),
          at: toIso(row.createdAt),
        })),
        next: String(rows.at(-1)?.id ?? after),
      };
    },
  }),
];

/** Of a mailbox. */
const MAX_PER_ANSWER = 100;

export function listCallbacks(deps: SandboxDeps, query: z.output<typeof CallbacksQuery>, vaspId: CallerId) {
  const { rows, next } = deps.enclave.listCallbacks(query, vaspId);
  const attempts = grouped(deps.enclave.callbackAttempts(rows), ({ callbackId }) => callbackId);
  const total = deps.enclave.countCallbacks(query, vaspId, MAX_COUNTED + 1);
  return { callbacks: rows.map(row => presentCallback(row, attempts.get(row.id))), next, total };
}

const presentCallback = (row: ListedCallback, attempts: readonly CallbackAttempt[] = []) => ({
  id: String(row.id),
  ...pick(row, 'callbackType', 'verificationUuid', 'status', 'data'),
  createdAt: toIso(row.createdAt),
  attempts: attempts.map(({ callbackId: _, at, ...attempt }) => ({ at: toIso(at), ...attempt })),
});

/** `/mailbox`, `/callbacks` */

const MailboxQuery = named('MailboxQuery', {
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

export const CallbackStatus = z.enum(['PENDING', 'DELIVERED', 'LOST', 'GIVEN-UP', 'MAILBOX']);
const CallbacksQuery = named('CallbacksQuery', {
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
