import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import type { CallbackAttempt, ListedCallback } from '../../enclave/control.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { pageOf } from '../page.ts';
import { MOST_COUNTED } from '../parameters.ts';
import type { CallbacksQuery } from './schema.ts';

export function listCallbacks(deps: SandboxDeps, query: z.output<typeof CallbacksQuery>, vaspId: CallerId) {
  const { rows, next } = pageOf(query.limit, limit =>
    deps.enclave.listCallbacks({ ...query, limit }, vaspId),
  );
  const attempts = deps.enclave.callbackAttempts(rows.map(row => row.id));
  const total = deps.enclave.countCallbacks(query, vaspId, MOST_COUNTED + 1);
  return { callbacks: rows.map(row => presentCallback(row, attempts)), next, total };
}

export const presentCallback = (row: ListedCallback, attempts: CallbackAttempt[]) => ({
  id: String(row.id),
  callbackType: row.callbackType,
  verificationUuid: row.verificationUuid,
  status: row.status,
  data: row.data,
  createdAt: toIso(row.createdAt),
  attempts: attempts
    .filter(attempt => attempt.callbackId === row.id)
    .map(({ callbackId: _, at, ...attempt }) => ({ at: toIso(at), ...attempt })),
});
