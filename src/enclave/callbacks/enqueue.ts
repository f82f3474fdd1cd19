import type { CallbackData, CallbackType } from '../../contract/callbacks.ts';
import { refusals } from '../../contract/refusals.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';
import { recordBegin, transition } from '../../db/transition.ts';
import type { TimerPayloads } from '../../timers/registry.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { VerificationParties } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import { callbackMachine, callbackStatus } from './machine.ts';
import { overtakes } from './next-callback.ts';
import type { CallbackRow } from './store.ts';
import * as callbacks from './store.ts';

export type NewCallback = {
  [T in CallbackType]: { receiverVaspId: string; callbackType: T; data: CallbackData<T> };
}[CallbackType];

/** Puts a callback into the outbox, in the transaction of the change that it reports. */
export function enqueue(deps: EnclaveDeps, tx: Tx, verification: VerificationParties, callback: NewCallback): void {
  const { receiverVaspId, callbackType, data } = callback;
  const owner = receiverOwner(deps, verification, receiverVaspId);
  const at = deps.clock.now(owner);
  const queue = { verificationUuid: verification.uuid, receiverVaspId };
  const row = callbacks.insert(tx, {
    callbackType,
    name: deps.random.uuid(),
    data,
    status: callbackMachine.initial,
    createdAt: at,
    ...queue,
  });
  recordBegin(tx, callbackStatus, row, at, undefined, { callbackType });
  const timer = deliveryTimer(deps, { owner, ...queue });
  // Only a callback that overtakes does not wait for the pending timer.
  if (overtakes(deps, tx, row)) deps.timers.schedule(tx, 'enclave.callback.deliver', timer);
  else deps.timers.ensure(tx, 'enclave.callback.deliver', timer);
  afterCommit(tx, () => deps.waiters.wake(receiverVaspId));
}

export const deliveryKey = (verificationUuid: string, receiverVaspId: string): string =>
  `${verificationUuid} ${receiverVaspId}`;

/** One timer per verification and receiver keeps the callbacks in order. */
export const deliveryTimer = (
  { clock }: Pick<EnclaveDeps, 'clock'>,
  { owner, verificationUuid, receiverVaspId }: { owner: string } & TimerPayloads['enclave.callback.deliver'],
) => ({
  key: deliveryKey(verificationUuid, receiverVaspId),
  owner,
  dueAt: clock.now(owner),
  why: 'deliver the callbacks of this verification',
  payload: { verificationUuid, receiverVaspId },
});

/** The VASP on whose sandbox clock the callbacks to `receiverVaspId` are delivered. */
function receiverOwner(deps: EnclaveDeps, verification: VerificationParties, receiverVaspId: string): string {
  const { originatingVaspId, beneficiaryVaspId } = verification;
  return clockOwner(deps, receiverVaspId, receiverVaspId === originatingVaspId ? beneficiaryVaspId : originatingVaspId);
}

/** D-13: sends a callback again with fresh attempts, a PENDING one at once. Throws `Refusal` not-found. */
export function replay(deps: EnclaveDeps, id: number, caller: string): CallbackRow {
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
export function recoverCallbacks(deps: EnclaveDeps, toVaspId?: string): void {
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
