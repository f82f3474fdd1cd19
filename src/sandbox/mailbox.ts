import type * as z from 'zod';
import type { CallbackType } from '../contract/callbacks.ts';
import { readMailbox } from '../enclave/callbacks/mailbox.ts';
import { replay } from '../enclave/callbacks/replay.ts';
import type { CallbackAttempt, CallbackRow } from '../enclave/callbacks/store.ts';
import { toIso } from '../kernel/clock.ts';
import type { CallbacksQuery, MailboxQuery } from './api/callbacks.ts';
import type { SandboxDeps } from './deps.ts';
import { pageOf } from './listings/page.ts';

const MOST_PER_ANSWER = 100;

/** The callbacks by long poll: for a suite that no callback can reach. */
export async function mailbox(
  deps: SandboxDeps,
  { wait = 0, after = 0, type, verificationUuid }: z.output<typeof MailboxQuery>,
  vaspId: string,
  hungUp: AbortSignal,
) {
  const until = AbortSignal.any([hungUp, deps.stopping, AbortSignal.timeout(wait)]);
  const query = { after, type, verificationUuid, limit: MOST_PER_ANSWER };
  const rows = await readMailbox(deps.enclave, query, vaspId, until);
  return {
    callbacks: rows.map(row => ({
      id: String(row.id),
      callbackType: row.callbackType as CallbackType,
      data: JSON.parse(row.data),
      at: toIso(row.createdAt),
    })),
    next: String(rows.at(-1)?.id ?? after),
  };
}

export function listCallbacks(deps: SandboxDeps, query: z.output<typeof CallbacksQuery>, vaspId: string) {
  const { rows, next } = pageOf(query.limit, limit =>
    deps.enclave.callbacks.page(vaspId, { ...query, limit }),
  );
  const attempts = deps.enclave.callbacks.attemptsOf(rows.map(row => row.id));
  return { callbacks: rows.map(row => present(row, attempts)), next };
}

export function replayCallback(deps: SandboxDeps, id: string, vaspId: string) {
  const row = replay(deps.enclave, /^\d{1,15}$/.test(id) ? Number(id) : -1, vaspId);
  return present(row, deps.enclave.callbacks.attemptsOf([row.id]));
}

const present = (row: CallbackRow, attempts: CallbackAttempt[]) => ({
  id: String(row.id),
  callbackType: row.callbackType as CallbackType,
  verificationUuid: row.verificationUuid,
  status: row.status as 'PENDING' | 'DELIVERED' | 'GIVEN-UP' | 'MAILBOX',
  data: JSON.parse(row.data),
  createdAt: toIso(row.createdAt),
  attempts: attempts
    .filter(attempt => attempt.callbackId === row.id)
    .map(({ id: _, callbackId: __, at, ...attempt }) => ({ at: toIso(at), ...attempt })),
});
