import type { Db } from '../../db/open.ts';
import type { FaultEvent, FaultHit } from '../../fault-injection/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import * as callbackAttempts from './attempt-store.ts';
import type { CallbackRow } from './store.ts';
import * as callbacks from './store.ts';

/** The callback to send now with the fault that hits it; or how long all callbacks are held back. */
export type NextCallback =
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
