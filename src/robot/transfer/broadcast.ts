import type { Broadcast, Chain } from '../../chains/port.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import { cancelTransfer, markBroadcast, setNote } from './lifecycle.ts';
import type { Attempt, Transfer } from './store.ts';

/**
 * Sends the stored bytes of each one's newest attempt, and no others. An unclear answer means "sent". What was
 * answered is kept in one transaction, also when one of them throws. SEND-2
 */
export async function broadcast(
  deps: RobotDeps,
  chain: Chain,
  transfers: readonly Transfer[],
): Promise<void> {
  const sending = transfers.map(({ verificationUuid }) => deps.transfers.attemptsOf(verificationUuid));
  const answers = await Promise.allSettled(sending.map(attempts => chain.broadcast(attempts.at(-1)!.bytes)));
  write(deps.db, tx => {
    for (const [i, answer] of answers.entries())
      if (answer.status === 'fulfilled') applyAnswer(deps, tx, sending[i]!, answer.value);
  });
  const failure = answers.find(answer => answer.status === 'rejected');
  if (failure) throw failure.reason;
}

function applyAnswer(deps: RobotDeps, tx: Tx, attempts: Attempt[], answer: Broadcast): void {
  const attempt = attempts.at(-1)!;
  const uuid = attempt.verificationUuid;
  const transfer = deps.transfers.find(uuid);
  if (!transfer || transfer.status === 'CONFIRMED' || transfer.status === 'CANCELED') return;
  if (answer.status !== 'rejected') {
    deps.transfers.reject(tx, attempt.hash, null);
    if (transfer.status === 'PENDING')
      markBroadcast(deps, tx, transfer, {
        hash: attempt.hash,
        cause: `broadcast: ${answer.status} ${attempt.hash}`,
      });
    return;
  }
  deps.transfers.reject(tx, attempt.hash, answer.reason);
  const cause = `the node refused it (${answer.reason}): ${answer.text}`.slice(0, 500);
  setNote(deps, tx, transfer, { event: 'refused', cause });
  if (answer.final && attempts.length === 1 && transfer.status === 'PENDING')
    cancelUnsent(deps, tx, transfer, attempt, answer.text);
}

/** No node will ever take the only bytes there are. Its number is free again unless a later one stands on it. */
function cancelUnsent(deps: RobotDeps, tx: Tx, transfer: Transfer, attempt: Attempt, why: string): void {
  if (deps.transfers.nextSequence(transfer) === attempt.sequence + 1)
    deps.transfers.saveNextSequence(tx, transfer, attempt.sequence);
  cancelTransfer(deps, tx, transfer, why);
}
