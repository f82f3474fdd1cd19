import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import { expiresIn } from '../../timers/loop.ts';
import type { SandboxDeps } from '../deps.ts';
import type { Places } from '../places.ts';
import type { MailboxQuery } from './schema.ts';

const MAX_PER_ANSWER = 100;

/** Long polling, for test suites that callbacks cannot reach. Throws `Refusal` too-many. */
export async function readMailbox(
  deps: SandboxDeps,
  { wait = 0, after = 0, type, verificationUuid }: z.output<typeof MailboxQuery>,
  vaspId: CallerId,
  { hungUp, waiting }: { hungUp: AbortSignal; waiting: Places },
) {
  if (wait > 0) waiting.requireFree();
  const until = AbortSignal.any([hungUp, deps.stopping, expiresIn(wait)]);
  const query = { after, type, verificationUuid, limit: MAX_PER_ANSWER };
  const release = wait > 0 ? waiting.take() : () => {};
  const rows = await deps.enclave.waitForCallbacks(query, vaspId, until).finally(release);
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
