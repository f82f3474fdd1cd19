import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { FaultHit } from '../../fault-injection/port.ts';
import type { Outcome } from '../../timers/registry.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { deliveryTimer, receiverOwner } from './enqueue.ts';
import { callbackStatus } from './machine.ts';
import { nextCallback } from './next-callback.ts';
import { type Attempt, sendCallback } from './send-callback.ts';
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

/** Timer `enclave.callback.deliver`: one attempt for the callback of this verification and receiver whose turn it is. */
export async function deliver(
  deps: EnclaveDeps,
  { verificationUuid, receiverVaspId }: { verificationUuid: string; receiverVaspId: string },
): Promise<Outcome> {
  const oldest = deps.callbacks.nextPending(verificationUuid, receiverVaspId);
  const verification = deps.verifications.find(verificationUuid);
  if (!verification) return {};
  // One that was queued between this look and the end of the timer must not lose its timer.
  if (!oldest) return { apply: tx => deliverNext(deps, tx, verification, receiverVaspId) };
  const owner = receiverOwner(deps, verification, receiverVaspId);
  if (!hasAddress(deps, receiverVaspId))
    return {
      apply: tx => {
        const cause = 'no callback address: it waits in the mailbox';
        transition(tx, callbackStatus, oldest, 'no-address', { at: deps.clock.now(owner), cause });
        deliverNext(deps, tx, verification, receiverVaspId);
      },
    };
  const at = deps.clock.now(owner);
  const turn = nextCallback(deps, oldest, at);
  if ('heldUntil' in turn) return { againAt: turn.heldUntil, why: turn.why };
  const { row, hit } = turn;
  const attempts = await sendCallback(deps, row, hit);
  const delivered = deliveredBy(attempts, hit);
  const retryMs = delivered === undefined ? retryAfter(deps, row.attempts) : undefined;
  return {
    apply: tx => {
      for (const each of attempts) deps.callbacks.addAttempt(tx, { callbackId: row.id, at, ...each });
      const cause = delivered ?? attempts[0].error!;
      const patch = { attempts: row.attempts + 1 };
      const told = { at, cause, detail: detailOf(row, attempts) };
      if (retryMs !== undefined) return failed(deps, tx, row, told);
      transition(tx, callbackStatus, row, delivered === undefined ? 'gave-up' : 'delivered', {
        patch,
        ...told,
      });
      deliverNext(deps, tx, verification, receiverVaspId);
    },
    ...(retryMs === undefined
      ? {}
      : {
          againAt: deps.clock.now(owner) + retryMs,
          why: `attempt ${row.attempts + 1} of the callback failed`,
        }),
  };
}

/** Why it counts as delivered; undefined: it does not. */
const deliveredBy = (attempts: readonly Attempt[], hit: FaultHit | undefined): string | undefined => {
  if (hit?.mode === 'drop') return hit.cause;
  return attempts.some(({ status }) => status === 200) ? 'answered with 200' : undefined;
};

/** The last of the attempts of one turn: there are two where a fault doubles the callback. */
const detailOf = ({ callbackType, attempts }: CallbackRow, made: readonly Attempt[]) => {
  const { status, durationMs } = made.at(-1)!;
  return { callbackType, attempt: attempts + 1, status, durationMs };
};

/** It is followed by another one. */
function failed(
  deps: EnclaveDeps,
  tx: Tx,
  row: CallbackRow,
  told: { at: number; cause: string; detail: object },
): void {
  deps.callbacks.countAttempt(tx, row.id, row.attempts + 1);
  record(tx, {
    machine: 'callback',
    rowKey: String(row.id),
    verificationUuid: row.verificationUuid,
    vaspId: row.receiverVaspId,
    from: row.status,
    event: 'attempt-failed',
    to: row.status,
    ...told,
  });
}

const hasAddress = (deps: EnclaveDeps, vaspId: string): boolean =>
  vaspId === deps.residentVaspId || deps.vasps.find(vaspId)?.endpoints.callback !== undefined;

function retryAfter(deps: EnclaveDeps, failedBefore: number): number | undefined {
  const ms = RETRY_AFTER_MS[failedBefore];
  return ms === undefined ? undefined : Math.round(ms * (1 + JITTER * deps.random.fraction()));
}

/** What waits behind goes out at once; without anything the timer is done. */
function deliverNext(deps: EnclaveDeps, tx: Tx, verification: Verification, receiverVaspId: string): void {
  if (deps.callbacks.nextPending(verification.uuid, receiverVaspId))
    deps.timers.schedule(tx, 'enclave.callback.deliver', deliveryTimer(deps, verification, receiverVaspId));
}
