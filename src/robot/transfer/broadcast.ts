import type { Broadcast, Chain } from '../../chains/port.ts';
import { write } from '../../db/write.ts';
import type { RobotDeps } from '../deps.ts';
import { failed, sent } from './settle.ts';
import type { Attempt, Transfer } from './store.ts';

/** Sends the stored bytes of the newest attempt, and no others. An unclear answer means "sent". §6 Sending (2) */
export async function broadcast(deps: RobotDeps, chain: Chain, transfer: Transfer): Promise<void> {
  const attempts = deps.transfers.attemptsOf(transfer.verificationUuid);
  const newest = attempts.at(-1)!;
  take(deps, transfer.verificationUuid, newest, attempts.length, await chain.broadcast(newest.bytes));
}

function take(deps: RobotDeps, uuid: string, attempt: Attempt, attempts: number, answer: Broadcast): void {
  write(deps.db, tx => {
    const transfer = deps.transfers.find(uuid);
    if (!transfer || transfer.status === 'CONFIRMED' || transfer.status === 'CANCELED') return;
    if (answer.status !== 'rejected') {
      deps.transfers.reject(tx, attempt.hash, null);
      if (transfer.status === 'PENDING')
        sent(deps, tx, transfer, attempt.hash, `broadcast: ${answer.status} ${attempt.hash}`);
      return;
    }
    deps.transfers.reject(tx, attempt.hash, answer.reason);
    deps.transfers.patch(tx, uuid, {
      note: `the node refused it (${answer.reason}): ${answer.text}`.slice(0, 500),
    });
    if (answer.final && attempts === 1 && transfer.status === 'PENDING')
      giveUp(deps, tx, transfer, attempt, answer.text);
  });
}

/** No node will ever take the only bytes there are. Its number is free again unless a later one stands on it. */
function giveUp(
  deps: RobotDeps,
  tx: Parameters<typeof failed>[1],
  transfer: Transfer,
  attempt: Attempt,
  why: string,
): void {
  if (deps.transfers.nextNumber(transfer) === attempt.number + 1)
    deps.transfers.saveNextNumber(tx, transfer, attempt.number);
  failed(deps, tx, transfer, why);
}
