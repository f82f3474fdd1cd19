import type { Chain } from '../../chains/port.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import { setNote } from './lifecycle.ts';
import type { SentTransfer } from './store.ts';

/** Payments that are looked up at the same time. */
const LOOKED_UP_AT_ONCE = 16;
const SENT_AGAIN =
  'a reorganisation removed its block after it was CONFIRMED: the same bytes were broadcast again';

/**
 * SEND-5: a reorganisation deeper than the confirmations removes payments that were CONFIRMED. Their bytes are broadcast
 * again, which cannot pay twice. Without that their sequences stay unused, and the wallet stands still. `from`: height
 * of the last block that stayed. Throws `ChainUnreachable`.
 */
export async function sendReplacedAgain(deps: RobotDeps, chain: Chain, from: number): Promise<void> {
  const removed = await removedAfter(deps, chain, from);
  for (const { transfer, bytes } of removed.reverse()) {
    await chain.broadcast(bytes);
    write(deps.db, tx => noteSentAgain(deps, tx, transfer.verificationUuid));
  }
}

/** Newest first. The search ends where all payments are in blocks that stayed. */
async function removedAfter(deps: RobotDeps, chain: Chain, from: number): Promise<SentTransfer[]> {
  const removed: SentTransfer[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const sent = deps.transfers.confirmedBefore(chain.symbol, before, LOOKED_UP_AT_ONCE);
    const states = await Promise.all(sent.map(({ hash }) => chain.stateOf(hash)));
    removed.push(...sent.filter((_, i) => !('blockHash' in states[i]!)));
    if (states.every(state => 'height' in state && state.height <= from)) return removed;
    before = sent.at(-1)!.attemptId;
  }
}

function noteSentAgain(deps: RobotDeps, tx: Tx, verificationUuid: string): void {
  const transfer = deps.transfers.find(verificationUuid);
  if (transfer) setNote(deps, tx, transfer, { event: 'sent-again', cause: SENT_AGAIN });
}
