import { write } from '../../db/transaction.ts';
import type { EnclaveDeps, OutboxDeps } from '../deps.ts';
import * as verifications from '../verification/store.ts';
import { deliveryTimer, receiverOwner } from './enqueue.ts';
import * as callbacks from './store.ts';

/**
 * Pending callbacks without a timer get one: those of a VASP that was suspended, or that came from another sandbox.
 * `toVaspId`: only those to this VASP.
 */
export function recoverCallbacks(deps: OutboxDeps & Pick<EnclaveDeps, 'db'>, toVaspId?: string): void {
  const queues = callbacks.pendingWithoutTimer(deps.db, toVaspId);
  if (queues.length === 0) return;
  write(deps.db, tx => {
    for (const { verificationUuid, receiverVaspId } of queues) {
      const verification = verifications.find(tx, verificationUuid);
      if (!verification) continue;
      const owner = receiverOwner(deps, verification, receiverVaspId);
      const timer = deliveryTimer(deps, { owner, verificationUuid, receiverVaspId });
      deps.timers.ensure(tx, 'enclave.callback.deliver', timer);
    }
  });
}
