import type { CallbackData, CallbackType } from '../../contract/callbacks.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { recordBegin } from '../../db/transition.ts';
import type { TimerPayloads } from '../../timers/registry.ts';
import { clockOwner, type OutboxDeps } from '../deps.ts';
import type { VerificationParties } from '../verification/store.ts';
import { callbackMachine, callbackStatus } from './machine.ts';
import { overtakes } from './next-callback.ts';
import * as callbacks from './store.ts';

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
  const owner = receiverOwner(deps, verification, receiverVaspId);
  const at = deps.clock.now(owner);
  const queue = { verificationUuid: verification.uuid, receiverVaspId };
  const earlier = callbacks.countOf(tx, queue, callbackType);
  const row = callbacks.insert(tx, {
    callbackType,
    occasion: String(earlier + 1),
    data,
    status: callbackMachine.initial,
    createdAt: at,
    ...queue,
  });
  recordBegin(tx, callbackStatus, row, at, `${callbackType} is queued`, { callbackType });
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
  { clock }: Pick<OutboxDeps, 'clock'>,
  { owner, verificationUuid, receiverVaspId }: { owner: string } & TimerPayloads['enclave.callback.deliver'],
) => ({
  key: deliveryKey(verificationUuid, receiverVaspId),
  owner,
  dueAt: clock.now(owner),
  why: 'deliver the callbacks of this verification',
  payload: { verificationUuid, receiverVaspId },
});

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
