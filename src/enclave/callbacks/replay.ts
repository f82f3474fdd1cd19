import { refusals } from '../../contract/refusals.ts';
import { write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { EnclaveDeps } from '../deps.ts';
import { deliveryTimer, receiverOwner } from './enqueue.ts';
import { callbackStatus } from './machine.ts';
import type { CallbackRow } from './store.ts';

/** D-13: sends a callback again, with a fresh schedule of attempts. A PENDING one does not wait for its next attempt. */
export function replay(deps: EnclaveDeps, id: number, caller: string): CallbackRow {
  const row = deps.callbacks.find(id);
  const verification = row && deps.verifications.find(row.verificationUuid);
  if (row?.receiverVaspId !== caller || !verification) throw refusals.notFound(`Callback(${id})`);
  const at = deps.clock.now(receiverOwner(deps, verification, caller));
  return write(deps.db, tx => {
    if (row.status === 'PENDING') {
      deps.timers.schedule(tx, 'enclave.callback.deliver', deliveryTimer(deps, verification, caller));
      return row;
    }
    const replayed = transition(tx, callbackStatus, row, 'replay', {
      patch: { attempts: 0 },
      at,
      cause: 'replayed by hand',
    });
    deps.timers.ensure(tx, 'enclave.callback.deliver', deliveryTimer(deps, verification, caller));
    return replayed;
  });
}
