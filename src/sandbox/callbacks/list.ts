import type * as z from 'zod';
import type { CallbackType } from '../../contract/callbacks.ts';
import type { CallbackAttempt, CallbackRow } from '../../enclave/callbacks/store.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { pageOf } from '../page.ts';
import type { CallbacksQuery } from './schema.ts';

export function listCallbacks(deps: SandboxDeps, query: z.output<typeof CallbacksQuery>, vaspId: string) {
  const { rows, next } = pageOf(query.limit, limit =>
    deps.enclave.callbacks.page(vaspId, { ...query, limit }),
  );
  const attempts = deps.enclave.callbacks.attemptsOf(rows.map(row => row.id));
  return { callbacks: rows.map(row => presentCallback(row, attempts)), next };
}

export const presentCallback = (row: CallbackRow, attempts: CallbackAttempt[]) => ({
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
