import type * as z from 'zod';
import { MAX_COUNTED } from '../../contract/most-counted.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { CallbackAttempt, ListedCallback } from '../../enclave/control.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { CallbacksQuery } from './schema.ts';

export function listCallbacks(deps: SandboxDeps, query: z.output<typeof CallbacksQuery>, vaspId: CallerId) {
  const { rows, next } = deps.enclave.listCallbacks(query, vaspId);
  const attempts = byCallback(deps.enclave.callbackAttempts(rows));
  const total = deps.enclave.countCallbacks(query, vaspId, MAX_COUNTED + 1);
  return { callbacks: rows.map(row => presentCallback(row, attempts.get(row.id))), next, total };
}

function byCallback(attempts: CallbackAttempt[]): ReadonlyMap<number, CallbackAttempt[]> {
  const found = new Map<number, CallbackAttempt[]>();
  for (const attempt of attempts) {
    const others = found.get(attempt.callbackId);
    if (others) others.push(attempt);
    else found.set(attempt.callbackId, [attempt]);
  }
  return found;
}

export const presentCallback = (row: ListedCallback, attempts: readonly CallbackAttempt[] = []) => ({
  id: String(row.id),
  callbackType: row.callbackType,
  verificationUuid: row.verificationUuid,
  status: row.status,
  data: row.data,
  createdAt: toIso(row.createdAt),
  attempts: attempts.map(({ callbackId: _, at, ...attempt }) => ({ at: toIso(at), ...attempt })),
});
