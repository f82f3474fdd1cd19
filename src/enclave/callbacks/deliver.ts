import type { Tx } from '../../db/transaction.ts';
import { recordEvent, transition } from '../../db/transition.ts';
import type { FaultHit } from '../../fault-injection/port.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import type { EnclaveDeps } from '../deps.ts';
import * as callbackAttempts from './attempt-store.ts';
import { deliveryTimer } from './enqueue.ts';
import { callbackStatus } from './machine.ts';
import { callbackAfter, nextCallback } from './next-callback.ts';
import { type Attempt, sendCallback } from './send-callback.ts';
import type { CallbackRow } from './store.ts';
import * as callbacks from './store.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** D-13: the pause after each failed attempt. After the last one the callback is given up. */
export const RETRY_AFTER_MS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] as const;
const JITTER = 0.1;
/** D-40 */
const MAX_RETRY_AFTER_MS = HOUR;
const GONE = 410;

/** The callbacks of one verification to one receiver. They are delivered in order, by one timer of `owner`. */
interface Queue {
  verificationUuid: string;
  receiverVaspId: string;
  owner: string;
}

/** Timer `enclave.callback.deliver`: one attempt to deliver the next callback of the queue. */
export async function deliver(
  deps: EnclaveDeps,
  { verificationUuid, receiverVaspId }: TimerPayloads['enclave.callback.deliver'],
  owner: string,
): Promise<Outcome> {
  const queue = { verificationUuid, receiverVaspId, owner };
  const oldest = callbacks.nextPending(deps.db, queue);
  if (!oldest || !deps.vasps.isActive(receiverVaspId)) return { apply: tx => deliverNext(deps, tx, queue) };
  if (!hasAddress(deps, oldest)) return { apply: tx => moveToMailbox(deps, tx, queue, oldest) };
  const next = nextCallback(deps, oldest, deps.clock.now(owner));
  if ('heldUntil' in next)
    return {
      againAt: next.heldUntil,
      why: next.why,
      // The callback that overtakes may have come while this one was held back.
      apply(tx) {
        if (next.mayBeOvertaken && callbackAfter(tx, oldest)) deliverNext(deps, tx, queue);
      },
    };
  return attemptDelivery(deps, queue, next.row, next.hit);
}

async function attemptDelivery(
  deps: EnclaveDeps,
  queue: Queue,
  row: CallbackRow,
  hit: FaultHit | undefined,
): Promise<Outcome> {
  const at = deps.clock.now(queue.owner);
  const attempts = await sendCallback(deps, row, hit);
  const delivered = deliveryCause(attempts, hit);
  const entry = { at, cause: delivered ?? failureOf(attempts), detail: detailOf(row, attempts) };
  const pause = delivered === undefined ? pauseAfter(deps, row, attempts) : undefined;
  const made = attempts.map(({ retryAfterMs: _, isRefused: __, ...attempt }) => ({ at, ...attempt }));
  const apply = (tx: Tx) => {
    // A reset may have deleted the callback while the VASP was called.
    if (!callbacks.find(tx, row.id)) return;
    const patch = callbackAttempts.add(tx, row, made);
    if (pause) {
      callbacks.patch(tx, row.id, patch);
      return recordEvent(tx, callbackStatus, row, 'attempt-failed', entry);
    }
    transition(tx, callbackStatus, row, delivered === undefined ? 'gave-up' : 'delivered', { patch, ...entry });
    deliverNext(deps, tx, queue);
  };
  if (!pause) return { apply };
  const count = row.attempts + 1;
  const asked = pause.isAsked ? ', and the VASP asks to wait' : '';
  return {
    apply,
    againAt: deps.clock.now(queue.owner) + pause.ms,
    why: `attempt ${count + 1} of the callback, because attempt ${count} failed${asked}`,
  };
}

const isGone = ({ status }: Attempt): boolean => status === GONE;
const failureOf = (attempts: readonly [Attempt, ...Attempt[]]): string =>
  attempts.some(isGone) ? 'answered with status 410 (Gone), so it is not sent again' : attempts[0].error!;

/** Undefined: the callback is given up. `isAsked`: the VASP asks for this pause (D-40). */
function pauseAfter(deps: EnclaveDeps, { attempts: failedBefore }: CallbackRow, attempts: readonly Attempt[]) {
  const ms = RETRY_AFTER_MS[failedBefore];
  if (ms === undefined || attempts.some(attempt => isGone(attempt) || attempt.isRefused)) return undefined;
  const own = Math.round(ms * (1 + JITTER * deps.random.fraction()));
  const asked = Math.max(...attempts.map(({ retryAfterMs = 0 }) => retryAfterMs));
  const granted = Math.min(asked, MAX_RETRY_AFTER_MS);
  return { ms: Math.max(own, granted), isAsked: granted >= own };
}

/** Why the callback counts as delivered; undefined: the attempts failed. */
const deliveryCause = (attempts: readonly Attempt[], hit: FaultHit | undefined): string | undefined => {
  if (hit?.mode === 'drop') return hit.cause;
  return attempts.some(({ status }) => status === 200) ? 'answered with 200' : undefined;
};

/** A fault of mode `duplicate` makes two attempts at once. The last one is shown. */
const detailOf = ({ callbackType, attempts: earlier }: CallbackRow, attempts: readonly Attempt[]) => {
  const { status, durationMs } = attempts.at(-1)!;
  return { callbackType, attempt: earlier + 1, status, durationMs };
};

const hasAddress = ({ directory }: EnclaveDeps, { receiverVaspId, callbackType }: CallbackRow): boolean =>
  directory.isResident(receiverVaspId) || directory.callbackUrl(receiverVaspId, callbackType) !== undefined;

function moveToMailbox(deps: EnclaveDeps, tx: Tx, queue: Queue, row: CallbackRow): void {
  const cause = 'the VASP has no callback address';
  transition(tx, callbackStatus, row, 'no-address', { at: deps.clock.now(queue.owner), cause });
  deliverNext(deps, tx, queue);
}

/**
 * Whatever ends the timer of a queue does this: a callback that came meanwhile counts on that timer. An empty queue needs
 * none, nor does a suspended VASP: `recoverCallbacks` makes its timers when it is active again.
 */
function deliverNext(deps: EnclaveDeps, tx: Tx, queue: Queue): void {
  if (callbacks.nextPending(tx, queue) && deps.vasps.isActive(queue.receiverVaspId))
    deps.timers.schedule(tx, 'enclave.callback.deliver', deliveryTimer(deps, queue));
}
