import type { Callback } from '../../contract/callbacks.ts';
import { advance } from '../../db/advance.ts';
import type { Tx } from '../../db/write.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Outcome } from '../../timers/registry.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { deliveryTimer, receiverOwner } from './enqueue.ts';
import { callbackStatus } from './machine.ts';
import type { CallbackRow } from './store.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** D-13: how long after a failed attempt the next one follows; after the last one the callback is given up. */
export const RETRY_AFTER_MS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
] as const;
const JITTER = 0.1;

interface Attempt {
  status: number | null;
  answer: string | null;
  error: string | null;
  durationMs: number;
}

/** Timer `enclave.callback.deliver`: one attempt for the oldest pending callback of this verification and receiver. */
export async function deliver(
  deps: EnclaveDeps,
  { verificationUuid, receiverVaspId }: { verificationUuid: string; receiverVaspId: string },
): Promise<Outcome> {
  const next = deps.callbacks.nextPending(verificationUuid, receiverVaspId);
  const verification = deps.verifications.find(verificationUuid);
  if (!verification) return {};
  // One that was queued between this look and the end of the timer must not lose its timer.
  if (!next) return { apply: tx => deliverNext(deps, tx, verification, receiverVaspId) };
  const owner = receiverOwner(deps, verification, receiverVaspId);
  if (!hasAddress(deps, receiverVaspId))
    return {
      apply: tx => {
        const cause = 'no callback address: it waits in the mailbox';
        advance(tx, callbackStatus, next, 'no-address', { at: deps.clock.now(owner), cause });
        deliverNext(deps, tx, verification, receiverVaspId);
      },
    };
  const at = deps.clock.now(owner);
  const attempt = await tryOnce(deps, next);
  const retryMs = attempt.status === 200 ? undefined : retryAfter(deps, next.attempts);
  return {
    apply: tx => {
      deps.callbacks.addAttempt(tx, { callbackId: next.id, at, ...attempt });
      settleAttempt(deps, tx, next, attempt, { at, retryMs });
      if (retryMs === undefined) deliverNext(deps, tx, verification, receiverVaspId);
    },
    ...(retryMs === undefined
      ? {}
      : {
          againAt: deps.clock.now(owner) + retryMs,
          why: `attempt ${next.attempts + 1} of the callback failed`,
        }),
  };
}

const hasAddress = (deps: EnclaveDeps, vaspId: string): boolean =>
  vaspId === deps.residentVaspId || deps.vasps.find(vaspId)?.endpoints.callback !== undefined;

async function tryOnce(deps: EnclaveDeps, row: CallbackRow): Promise<Attempt> {
  const startedAt = elapsedMs();
  const callback = { callbackType: row.callbackType, data: JSON.parse(row.data) } as Callback;
  const took = () => Math.round(elapsedMs() - startedAt);
  try {
    const { status, body } = await deps.directory.find(row.receiverVaspId)!.callback(callback);
    const error = status === 200 ? null : `answered with status ${status} instead of 200`;
    return { status, answer: body, error, durationMs: took() };
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
    return { status: null, answer: null, error: error.message, durationMs: took() };
  }
}

function retryAfter(deps: EnclaveDeps, failedBefore: number): number | undefined {
  const ms = RETRY_AFTER_MS[failedBefore];
  return ms === undefined ? undefined : Math.round(ms * (1 + JITTER * deps.ids.chance()));
}

function settleAttempt(
  deps: EnclaveDeps,
  tx: Tx,
  row: CallbackRow,
  attempt: Attempt,
  { at, retryMs }: { at: number; retryMs: number | undefined },
): void {
  const attempts = row.attempts + 1;
  if (attempt.status === 200)
    advance(tx, callbackStatus, row, 'delivered', { patch: { attempts }, at, cause: 'answered with 200' });
  else if (retryMs === undefined)
    advance(tx, callbackStatus, row, 'gave-up', { patch: { attempts }, at, cause: attempt.error! });
  else deps.callbacks.countAttempt(tx, row.id, attempts);
}

/** What waits behind goes out at once; without anything the timer is done. */
function deliverNext(deps: EnclaveDeps, tx: Tx, verification: Verification, receiverVaspId: string): void {
  if (deps.callbacks.nextPending(verification.uuid, receiverVaspId))
    deps.timers.schedule(tx, 'enclave.callback.deliver', deliveryTimer(deps, verification, receiverVaspId));
}
