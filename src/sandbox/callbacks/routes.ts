import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import { firstAborted } from '../../kernel/first-aborted.ts';
import { expiresIn } from '../../timers/loop.ts';
import type { SandboxDeps } from '../deps.ts';
import { type Places, places } from '../places.ts';
import { listCallbacks, presentCallback } from './list.ts';
import { callbackCalls, type MailboxQuery } from './schema.ts';

export const callbackEndpoints = (deps: SandboxDeps, waiting = places('waiting reads of the mailbox')): Endpoint[] => [
  control(callbackCalls.callbacks, {
    summary: 'List callbacks with every attempt to deliver them',
    run: ({ query }, caller) => listCallbacks(deps, query, caller),
  }),
  control(callbackCalls.replay, {
    summary: 'Send a callback again, or a PENDING one at once',
    refusals: ['not-found'],
    precondition: 'callback-sent',
    run: ({ params }, caller) => replayCallback(deps, params.id, caller),
  }),
  control(callbackCalls.mailbox, {
    summary: 'Read the callbacks of this VASP by long polling',
    refusals: ['too-many'],
    run: ({ query, signal }, caller) => readMailbox(deps, query, caller, { hungUp: signal(), waiting }),
  }),
];

const MAX_PER_ANSWER = 100;

/** Long polling, for test suites that callbacks cannot reach. Throws `Refusal` too-many. */
async function readMailbox(
  deps: SandboxDeps,
  { wait = 0, after = 0, type, verificationUuid }: z.output<typeof MailboxQuery>,
  vaspId: CallerId,
  { hungUp, waiting }: { hungUp: AbortSignal; waiting: Places },
) {
  if (wait > 0) waiting.requireFree();
  const until = firstAborted(hungUp, deps.stopping, expiresIn(wait));
  const query = { after, type, verificationUuid, limit: MAX_PER_ANSWER };
  const leave = wait > 0 ? waiting.take() : () => {};
  const rows = await deps.enclave.waitForCallbacks(query, vaspId, until.signal).finally(() => {
    until.release();
    leave();
  });
  return {
    callbacks: rows.map(row => ({
      id: String(row.id),
      callbackType: row.callbackType,
      data: row.data,
      at: toIso(row.createdAt),
    })),
    next: String(rows.at(-1)?.id ?? after),
  };
}

/** Sends a callback again. Throws `Refusal` not-found. */
function replayCallback(deps: SandboxDeps, id: string, vaspId: CallerId) {
  if (!/^\d{1,15}$/.test(id)) throw refusals.notFound(`Callback(${id.slice(0, 64)})`);
  const row = deps.enclave.replayCallback(Number(id), vaspId);
  return presentCallback(row, deps.enclave.callbackAttempts([row]));
}
