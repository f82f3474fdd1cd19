import { write } from '../../db/transaction.ts';
import type { EnclaveDeps } from '../deps.ts';
import { deliveryTimer } from './enqueue.ts';

/**
 * At the start: callbacks that the former process was about to send from memory get their timer. `toVaspId`: those to this
 * VASP alone.
 */
export function recoverCallbacks(deps: EnclaveDeps, toVaspId?: string): void {
  const queues = deps.callbacks.pendingWithoutTimer(toVaspId);
  if (queues.length === 0) return;
  write(deps.db, tx => {
    for (const { verificationUuid, receiverVaspId } of queues) {
      const verification = deps.verifications.find(verificationUuid);
      if (verification)
        deps.timers.ensure(tx, 'enclave.callback.deliver', deliveryTimer(deps, verification, receiverVaspId));
    }
  });
}
