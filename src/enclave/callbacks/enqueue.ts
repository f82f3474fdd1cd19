import type { CallbackData, CallbackType } from '../../contract/callbacks.ts';
import { refusals } from '../../contract/refusals.ts';
import type { Db } from '../../db/open.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';
import { recordBegin, transition } from '../../db/transition.ts';
import type { FaultEvent, FaultHit } from '../../fault-injection/port.ts';
import type { TimerPayloads } from '../../timers/registry.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { VerificationParties } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import * as callbackAttempts from './attempt-store.ts';
import { callbackMachine, callbackStatus } from './machine.ts';
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

/** The callback to send now with the fault that hits it; or how long all callbacks are held back. */
type NextCallback =
  | { row: CallbackRow; hit: FaultHit | undefined }
  | { heldUntil: number; why: string; mayBeOvertaken: boolean };

/** D-13: the oldest pending callback goes first. Only `reorder` lets the next one overtake, and never twice. */
export function nextCallback(deps: EnclaveDeps, oldest: CallbackRow, now: number): NextCallback {
  if (!deps.faults.isArmed(oldest.receiverVaspId)) return { row: oldest, hit: undefined };
  const hit = faultHit(deps, oldest, callbacks.isOvertaken(deps.db, oldest) ? ['reorder'] : []);
  const overtaking = hit?.mode === 'reorder' ? callbackAfter(deps.db, oldest) : undefined;
  return overtaking
    ? sendOrHold(overtaking, faultHit(deps, overtaking, ['reorder']), now)
    : sendOrHold(oldest, hit, now);
}

/** Does the callback that was just queued overtake one that a `reorder` fault holds back? */
export function overtakes({ faults }: Pick<EnclaveDeps, 'faults'>, db: Db, row: CallbackRow): boolean {
  const { verificationUuid, receiverVaspId } = row;
  if (!faults.isArmed(receiverVaspId)) return false;
  const oldest = callbacks.nextPending(db, row);
  if (!oldest || callbackAfter(db, oldest)?.id !== row.id) return false;
  return faults.decisionOn(verificationUuid, attemptName(db, oldest))?.mode === 'reorder';
}

/** The next one in the order of the queue. */
export const callbackAfter = (db: Db, row: CallbackRow) => callbacks.nextPending(db, row, row.id);

function sendOrHold(row: CallbackRow, hit: FaultHit | undefined, now: number): NextCallback {
  const heldUntil = hit?.mode === 'delay' || hit?.mode === 'reorder' ? hit.at + hit.delayMs : now;
  if (heldUntil <= now) return { row, hit };
  const why = `${hit!.cause} holds ${row.callbackType} back`;
  return { heldUntil, why, mayBeOvertaken: hit!.mode === 'reorder' };
}

function faultHit(deps: EnclaveDeps, row: CallbackRow, except: FaultEvent['except']): FaultHit | undefined {
  return deps.faults.consume({
    vaspId: row.receiverVaspId,
    targets: ['callback', `callback.${row.callbackType}`],
    verificationUuid: row.verificationUuid,
    name: attemptName(deps.db, row),
    except,
  });
}

/** Names the next attempt to send a callback, also after a replay. */
const attemptName = (db: Db, row: CallbackRow): string =>
  `callback ${row.id} after ${callbackAttempts.newestOf(db, row)}`;
