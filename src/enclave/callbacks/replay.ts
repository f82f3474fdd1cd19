import { refusals } from '../../contract/refusals.ts';
import { write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { EnclaveDeps, OutboxDeps } from '../deps.ts';
import * as verifications from '../verification/store.ts';
import { deliveryTimer, receiverOwner } from './enqueue.ts';
import { callbackStatus } from './machine.ts';
import type { CallbackRow } from './store.ts';
import * as callbacks from './store.ts';

/** D-13: sends a callback again with fresh attempts, a PENDING one at once. Throws `Refusal` not-found. */
export function replay(deps: OutboxDeps & Pick<EnclaveDeps, 'db'>, id: number, caller: string): CallbackRow {
  const row = callbacks.find(deps.db, id);
  const verification = row && verifications.find(deps.db, row.verificationUuid);
  if (row?.receiverVaspId !== caller || !verification) throw refusals.notFound(`Callback(${id})`);
  const owner = receiverOwner(deps, verification, caller);
  const at = deps.clock.now(owner);
  const timer = deliveryTimer(deps, { ...row, owner });
  return write(deps.db, tx => {
    if (row.status === 'PENDING') {
      deps.timers.schedule(tx, 'enclave.callback.deliver', timer);
      return row;
    }
    const replayed = transition(tx, callbackStatus, row, 'replay', {
      patch: { attempts: 0 },
      at,
      cause: 'replayed by hand',
    });
    deps.timers.ensure(tx, 'enclave.callback.deliver', timer);
    return replayed;
  });
}

/** Pending callbacks without a timer get one: of a VASP that was suspended, or of another sandbox. */
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
