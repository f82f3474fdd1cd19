import type { EnclaveDeps } from '../deps.ts';
import type { CallbackQuery, CallbackRow } from './store.ts';

/** The callbacks of a VASP after a position, by long poll. Answers none when `signal` aborts first. */
export async function readMailbox(
  deps: Pick<EnclaveDeps, 'callbacks' | 'mailboxNotifier'>,
  query: CallbackQuery,
  vaspId: string,
  signal: AbortSignal,
): Promise<CallbackRow[]> {
  for (;;) {
    const rows = deps.callbacks.page(vaspId, query);
    if (rows.length > 0 || signal.aborted) return rows;
    await deps.mailboxNotifier.wait(vaspId, signal);
  }
}
