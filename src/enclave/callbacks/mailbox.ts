import type { EnclaveDeps } from '../deps.ts';
import type { CallbackRow, MailboxQuery } from './store.ts';

/** The callbacks of a VASP after a position, by long poll. `signal` ends the wait. */
export async function readMailbox(
  deps: Pick<EnclaveDeps, 'callbacks' | 'bell'>,
  query: MailboxQuery,
  vaspId: string,
  signal: AbortSignal,
): Promise<CallbackRow[]> {
  for (;;) {
    const rows = deps.callbacks.mailbox(vaspId, query);
    if (rows.length > 0 || signal.aborted) return rows;
    await deps.bell.heard(vaspId, signal);
  }
}
