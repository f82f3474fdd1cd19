import type { Callback, CallbackData, CallbackType } from '../../contract/callbacks.ts';
import { refusals } from '../../contract/refusals.ts';
import type { Db } from '../../db/open.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';
import { recordBegin, recordEvent, transition } from '../../db/transition.ts';
import type { keptResult } from '../../db/whole-exchanges.ts';
import type { FaultEvent, FaultHit } from '../../fault-injection/port.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { maskedUrl } from '../../kernel/secrets.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { VerificationParties } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import { callbackMachine, callbackStatus } from './machine.ts';
import * as callbacks from './store.ts';
import { bodyOf, type CallbackRow } from './store.ts';

export type NewCallback = {
  [T in CallbackType]: {
    receiverVaspId: string;
    callbackType: T;
    data: T extends 'VERIFICATION_RESULT' ? ReturnType<typeof keptResult> : CallbackData<T>;
  };
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

/** One timer per verification and receiver keeps the callbacks in order. */
const deliveryTimer = ({ clock }: Pick<EnclaveDeps, 'clock'>, { owner, verificationUuid, receiverVaspId }: Queue) => ({
  owner,
  dueAt: clock.now(owner),
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
  if (row?.receiverVaspId !== caller || !verification)
    throw refusals.notFound('Callback', String(id), '/sandbox/v1/callbacks');
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
    return { ...replayed, data: row.data };
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
function nextCallback(deps: EnclaveDeps, oldest: CallbackRow, now: number): NextCallback {
  if (!deps.faults.isArmed(oldest.receiverVaspId)) return { row: oldest, hit: undefined };
  const hit = faultHit(deps, oldest, callbacks.isOvertaken(deps.db, oldest) ? ['reorder'] : []);
  const overtaking = hit?.mode === 'reorder' ? callbackAfter(deps.db, oldest) : undefined;
  return overtaking
    ? sendOrHold(overtaking, faultHit(deps, overtaking, ['reorder']), now)
    : sendOrHold(oldest, hit, now);
}

/** Does the callback that was just queued overtake one that a `reorder` fault holds back? */
function overtakes(
  { faults }: Pick<EnclaveDeps, 'faults'>,
  db: Db,
  row: TimerPayloads['enclave.callback.deliver'] & { id: number },
): boolean {
  const { verificationUuid, receiverVaspId } = row;
  if (!faults.isArmed(receiverVaspId)) return false;
  const oldest = callbacks.nextPending(db, row);
  if (!oldest || callbackAfter(db, oldest)?.id !== row.id) return false;
  return faults.decisionOn(verificationUuid, attemptName(db, oldest))?.mode === 'reorder';
}

/** The next one in the order of the queue. */
const callbackAfter = (db: Db, row: CallbackRow) => callbacks.nextPending(db, row, row.id);

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
  `callback ${row.id} after ${callbacks.newestAttemptOf(db, row)}`;

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** D-13: the pause after each failed attempt. After the last one the callback is given up. */
export const RETRY_AFTER_MS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] as const;
const JITTER = 0.1;
/** D-40 */
const MAX_RETRY_AFTER_MS = HOUR;
const GONE = 410;

/** The callbacks of one verification to one receiver. They are delivered in order, by one timer of `owner`. */
type Queue = TimerPayloads['enclave.callback.deliver'] & { owner: string };

/** Timer `enclave.callback.deliver`: one attempt to deliver the next callback of the queue. */
export async function deliver(
  deps: EnclaveDeps,
  { verificationUuid, receiverVaspId }: TimerPayloads['enclave.callback.deliver'],
  owner: string,
): Promise<Outcome> {
  const queue = { verificationUuid, receiverVaspId, owner };
  const oldest = callbacks.nextPending(deps.db, queue);
  if (!oldest || !deps.vasps.isActive(receiverVaspId)) return { apply: tx => deliverNext(deps, tx, queue) };
  if (!hasAddress(deps, oldest))
    return {
      apply(tx) {
        const cause = 'the VASP has no callback endpoint';
        transition(tx, callbackStatus, oldest, 'no-endpoint', { at: deps.clock.now(owner), cause });
        deliverNext(deps, tx, queue);
      },
    };
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
  const end = endOf(attempts, hit);
  const entry = { at, cause: end ? end.cause : failureOf(attempts), detail: detailOf(row, attempts) };
  const pause = end ? undefined : pauseAfter(deps, row, attempts);
  const made = attempts.map(({ retryAfterMs: _, isRefused: __, ...attempt }) => ({ at, ...attempt }));
  const apply = (tx: Tx) => {
    // A reset may have deleted the callback while the VASP was called.
    if (!callbacks.find(tx, row.id)) return;
    const patch = callbacks.addAttempts(tx, row, made);
    if (pause) {
      callbacks.patch(tx, row.id, patch);
      return recordEvent(tx, callbackStatus, row, 'attempt-failed', entry);
    }
    transition(tx, callbackStatus, row, end?.event ?? 'gave-up', { patch, ...entry });
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

/** Undefined: the attempts failed. */
function endOf(attempts: readonly Attempt[], hit: FaultHit | undefined) {
  if (hit?.mode === 'drop') return { event: 'lost', cause: hit.cause } as const;
  const isTaken = attempts.some(({ status }) => status === 200);
  return isTaken ? ({ event: 'delivered', cause: undefined } as const) : undefined;
}

/** A fault of mode `duplicate` makes two attempts at once. The last one is shown. */
const detailOf = ({ callbackType, attempts: earlier }: CallbackRow, attempts: readonly Attempt[]) => ({
  callbackType,
  attempt: earlier + 1,
  status: attempts.at(-1)!.status,
});

const hasAddress = ({ directory }: EnclaveDeps, { receiverVaspId, callbackType }: CallbackRow): boolean =>
  directory.isResident(receiverVaspId) || directory.callbackUrl(receiverVaspId, callbackType) !== undefined;

/**
 * Whatever ends the timer of a queue does this: a callback that came meanwhile counts on that timer. An empty queue needs
 * none, nor does a suspended VASP: `recoverCallbacks` makes its timers when it is active again.
 */
function deliverNext(deps: EnclaveDeps, tx: Tx, queue: Queue): void {
  if (callbacks.nextPending(tx, queue) && deps.vasps.isActive(queue.receiverVaspId))
    deps.timers.schedule(tx, 'enclave.callback.deliver', deliveryTimer(deps, queue));
}

/** One attempt to send a callback: the status of the answer, or the error that stands for it. */
interface Attempt {
  /** The address and the body on the wire; null: nothing left the process. */
  url: string | null;
  request: string | null;
  isUnchanged: boolean;
  status: number | null;
  answer: string | null;
  error: string | null;
  durationMs: number;
  /** D-40: the VASP asks for this pause before the next attempt. */
  retryAfterMs?: number | undefined;
  /** It would be refused again. */
  isRefused?: boolean | undefined;
}

const NOT_SENT = { url: null, request: null, isUnchanged: false, status: null, answer: null, durationMs: 0 };

/** Sends a callback once, unless the fault `hit` says otherwise. */
async function sendCallback(
  deps: EnclaveDeps,
  row: CallbackRow,
  hit: FaultHit | undefined,
): Promise<[Attempt, ...Attempt[]]> {
  switch (hit?.mode) {
    case 'drop':
      return [{ ...NOT_SENT, error: hit.cause }];
    case 'duplicate':
      return [await send(deps, row), await send(deps, row)];
    case 'status':
      return [{ ...(await send(deps, row, hit)), status: hit.status, error: hit.cause }];
    case 'never-answer':
      return [{ ...(await send(deps, row, hit)), status: null, error: hit.cause }];
    case 'malformed':
      return [await send(deps, row, hit, firstHalf)];
    default:
      return [await send(deps, row)];
  }
}

/** Half a JSON object is no JSON. */
const firstHalf = (body: string): string => body.slice(0, Math.ceil(body.length / 2));

async function send(
  deps: EnclaveDeps,
  row: CallbackRow,
  hit?: FaultHit,
  changeBody?: (body: string) => string,
): Promise<Attempt> {
  const startedAt = elapsedMs();
  const callback = { callbackType: row.callbackType, data: row.data } as Callback;
  const url = deps.directory.callbackUrl(row.receiverVaspId, row.callbackType) ?? null;
  const body = bodyOf(row);
  let request: string | null = null;
  const onSend = (sent: string): void => {
    request = sent;
  };
  const attempt = (result: Pick<Attempt, 'status' | 'answer' | 'error'>): Attempt => ({
    url: request === null || url === null ? null : maskedUrl(url),
    request,
    isUnchanged: request === body,
    durationMs: Math.round(elapsedMs() - startedAt),
    ...result,
  });
  try {
    const vasp = deps.directory.find(row.receiverVaspId)!;
    const delivery = { name: row.name, id: row.id, body, changeBody, onSend, fault: hit?.cause };
    const reply = await vasp.callback(callback, delivery);
    const { status, body: answer, retryAfterMs, refusal } = reply;
    const error = status === 200 ? null : (refusal ?? `answered with status ${status} instead of 200`);
    return { retryAfterMs, isRefused: refusal !== undefined, ...attempt({ status, answer, error }) };
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
    return attempt({ status: null, answer: null, error: error.message });
  }
}
