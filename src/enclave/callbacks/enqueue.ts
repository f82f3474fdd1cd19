import type { CallbackData, CallbackType } from '../../contract/callbacks.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { begin } from '../../db/transition.ts';
import { clockOwner, type OutboxDeps } from '../deps.ts';
import type { VerificationParties } from '../verification/store.ts';
import { callbackMachine, callbackStatus } from './machine.ts';
import { overtakes } from './next-callback.ts';

export type NewCallback = {
  [T in CallbackType]: { receiverVaspId: string; callbackType: T; data: CallbackData<T> };
}[CallbackType];

/** Puts a callback into the outbox, in the transaction of the change that it reports. */
export function enqueue(
  deps: OutboxDeps,
  tx: Tx,
  verification: VerificationParties,
  callback: NewCallback,
): void {
  const { receiverVaspId, callbackType, data } = callback;
  const at = deps.clock.now(receiverOwner(deps, verification, receiverVaspId));
  const queue = { verificationUuid: verification.uuid, receiverVaspId };
  const earlier = deps.callbacks.countOf(queue, callbackType);
  const row = deps.callbacks.insert(tx, {
    ...queue,
    callbackType,
    occasion: String(earlier + 1),
    data,
    status: callbackMachine.initial,
    createdAt: at,
  });
  begin(tx, callbackStatus, row, at, `${callbackType} to ${receiverVaspId}`);
  const timer = deliveryTimer(deps, verification, receiverVaspId);
  if (overtakes(deps, row)) deps.timers.schedule(tx, 'enclave.callback.deliver', timer);
  else deps.timers.ensure(tx, 'enclave.callback.deliver', timer);
  afterCommit(tx, () => deps.mailboxNotifier.notify(receiverVaspId));
}

export const deliveryKey = (verificationUuid: string, receiverVaspId: string): string =>
  `${verificationUuid} ${receiverVaspId}`;

/** One timer per verification and receiver keeps the callbacks in order. */
export function deliveryTimer(deps: OutboxDeps, verification: VerificationParties, receiverVaspId: string) {
  const owner = receiverOwner(deps, verification, receiverVaspId);
  return {
    key: deliveryKey(verification.uuid, receiverVaspId),
    owner,
    dueAt: deps.clock.now(owner),
    why: 'deliver the callbacks of this verification',
    payload: { verificationUuid: verification.uuid, receiverVaspId },
  };
}

/** The VASP on whose sandbox clock the callbacks to `receiverVaspId` are delivered. */
export function receiverOwner(
  deps: OutboxDeps,
  verification: VerificationParties,
  receiverVaspId: string,
): string {
  const { originatingVaspId, beneficiaryVaspId } = verification;
  return clockOwner(
    deps,
    receiverVaspId,
    receiverVaspId === originatingVaspId ? beneficiaryVaspId : originatingVaspId,
  );
}
