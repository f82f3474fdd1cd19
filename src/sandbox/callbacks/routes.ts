import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { places } from '../places.ts';
import { listCallbacks } from './list.ts';
import { readMailbox } from './read-mailbox.ts';
import { replayCallback } from './replay.ts';
import { CallbackEntry, CallbacksQuery, CallbacksResponse, MailboxQuery, MailboxResponse } from './schema.ts';

const SANDBOX = { operation: 'sandbox', refusals: [] } as const;

export const callbackEndpoints = (
  deps: SandboxDeps,
  waiting = places('waiting reads of the mailbox'),
): Endpoint[] => [
  endpoint({
    ...SANDBOX,
    method: 'GET',
    path: '/sandbox/v1/callbacks',
    summary: 'List callbacks with every attempt to deliver them',
    query: CallbacksQuery,
    response: CallbacksResponse,
    run: ({ query }, caller) => listCallbacks(deps, query, caller),
  }),
  endpoint({
    ...SANDBOX,
    method: 'POST',
    path: '/sandbox/v1/callbacks/:id/replay',
    summary: 'Send a callback again, or a PENDING one at once',
    refusals: ['not-found'],
    precondition: 'callback-sent',
    response: CallbackEntry,
    run: ({ params }, caller) => replayCallback(deps, params.id, caller),
  }),
  endpoint({
    ...SANDBOX,
    method: 'GET',
    path: '/sandbox/v1/mailbox',
    summary: 'Read the callbacks of this VASP by long polling',
    query: MailboxQuery,
    response: MailboxResponse,
    refusals: ['too-many'],
    run: ({ query, signal }, caller) => readMailbox(deps, query, caller, { hungUp: signal(), waiting }),
  }),
];
