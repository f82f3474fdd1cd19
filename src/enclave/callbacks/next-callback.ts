import type { CallbackType } from '../../contract/callbacks.ts';
import type { FaultEvent, FaultHit } from '../../fault-injection/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { CallbackRow } from './store.ts';

/** Which callback goes now, and the ordered fault that hits it; or until when it is held back. */
export type NextCallback =
  | { row: CallbackRow; hit: FaultHit | undefined }
  | { heldUntil: number; why: string };

/**
 * D-13: the oldest pending callback of a verification goes first. `reorder` alone lets the next one pass; what has been
 * passed once goes then.
 */
export function nextCallback(deps: EnclaveDeps, oldest: CallbackRow, now: number): NextCallback {
  if (!deps.faults.isArmed(oldest.receiverVaspId)) return { row: oldest, hit: undefined };
  const hit = faultHit(deps, oldest, deps.callbacks.isOvertaken(oldest) ? ['reorder'] : []);
  const next = hit?.mode === 'reorder' ? callbackAfter(deps, oldest) : undefined;
  return next ? heldOr(next, faultHit(deps, next, ['reorder']), now) : heldOr(oldest, hit, now);
}

/** Is this just queued callback the one that another one waits for? */
export function endsReorderWait(deps: EnclaveDeps, row: CallbackRow): boolean {
  const { verificationUuid, receiverVaspId } = row;
  if (!deps.faults.isArmed(receiverVaspId)) return false;
  const oldest = deps.callbacks.nextPending(verificationUuid, receiverVaspId);
  if (!oldest || callbackAfter(deps, oldest)?.id !== row.id) return false;
  return deps.faults.decisionAt(verificationUuid, occasionOf(deps, oldest))?.mode === 'reorder';
}

const callbackAfter = (deps: EnclaveDeps, { verificationUuid, receiverVaspId, id }: CallbackRow) =>
  deps.callbacks.nextPending(verificationUuid, receiverVaspId, id);

function heldOr(row: CallbackRow, hit: FaultHit | undefined, now: number): NextCallback {
  const heldUntil = hit?.mode === 'delay' || hit?.mode === 'reorder' ? hit.at + hit.delayMs : now;
  return heldUntil > now ? { heldUntil, why: `${hit!.cause} holds ${row.callbackType} back` } : { row, hit };
}

function faultHit(deps: EnclaveDeps, row: CallbackRow, except: FaultEvent['except']): FaultHit | undefined {
  return deps.faults.consume({
    vaspId: row.receiverVaspId,
    targets: ['callback', `callback.${row.callbackType as CallbackType}`],
    verificationUuid: row.verificationUuid,
    occasion: occasionOf(deps, row),
    except,
  });
}

/** Every sending is an occasion of its own, a replayed one too. */
const occasionOf = (deps: EnclaveDeps, { id }: CallbackRow): string =>
  `callback ${id} after ${deps.callbacks.attemptsOf([id]).length}`;
