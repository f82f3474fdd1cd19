import { newestHistory, record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import type { Tx } from '../db/transaction.ts';
import { toIso } from '../kernel/clock.ts';
import { TIMER_HISTORY } from './registry.ts';
import type { TimerRow } from './store.ts';

/** Writes the events of timers into the history of their verification: scheduled, fired, failed, canceled. */

type TimerToRecord = Pick<TimerRow, 'kind' | 'key' | 'owner' | 'payload' | 'dueAt' | 'why'>;

/** The verification with the timer in its history; null: none. */
export const verificationOf = (timer: Pick<TimerRow, 'kind' | 'payload'>): string | null =>
  TIMER_HISTORY[timer.kind].verificationOf(timer.payload as never);

export function recordScheduled(tx: Tx, timer: TimerToRecord, now: number): void {
  if (!isImmediate(timer)) recordTimer(tx, timer, 'scheduled', { at: now, cause: timer.why });
}

export function recordCanceled(tx: Tx, timer: TimerToRecord & { attempts?: number }, now: number): void {
  if (isRecorded(timer)) recordTimer(tx, timer, 'canceled', { at: now, cause: timer.why });
}

/** The start of a run. History lines after `newestLine` are effects of the run or later. 0: the run is not recorded. */
export interface RunStart {
  /** Epoch milliseconds on the owner's clock. */
  at: number;
  newestLine: number;
}
export const runStart = (db: Db, timer: TimerRow, at: number): RunStart => ({
  at,
  newestLine: isRecorded(timer) ? newestHistory(db) : 0,
});

/** `next`: the timer is pending again. */
export function recordFired(
  tx: Tx,
  timer: TimerRow,
  { at, newestLine }: RunStart,
  next?: { dueAt: number; why: string },
): void {
  if (isRecorded(timer)) recordTimer(tx, timer, 'fired', { at, cause: timer.why, began: newestLine });
  if (next) recordTimer(tx, { ...timer, ...next }, 'scheduled', { at, cause: next.why });
}

export function recordFailed(tx: Tx, timer: TimerRow, at: number, failure: { lastError: string; dueAt: number }): void {
  recordTimer(tx, { ...timer, dueAt: failure.dueAt }, 'failed', { at, cause: failure.lastError });
}

const isImmediate = ({ kind }: Pick<TimerRow, 'kind'>): boolean => TIMER_HISTORY[kind].isImmediate;
const isRecorded = (timer: Pick<TimerRow, 'kind'> & { attempts?: number }): boolean =>
  (timer.attempts ?? 0) > 0 || !isImmediate(timer);

/** `began`: the newest line of the history when the timer started. */
function recordTimer(
  tx: Tx,
  timer: TimerToRecord,
  event: string,
  { at, cause, began }: { at: number; cause: string; began?: number },
): void {
  const { kind, owner, dueAt } = timer;
  const verificationUuid = verificationOf(timer);
  if (verificationUuid === null) return;
  record(tx, {
    machine: 'timer',
    rowKey: kind,
    verificationUuid,
    vaspId: TIMER_HISTORY[kind].isOnlyForOwner ? owner : null,
    from: null,
    event,
    to: null,
    at,
    cause,
    detail: { dueAt: toIso(dueAt), ...(began === undefined ? {} : { began }) },
  });
}
