import { newestHistory, record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import type { Tx } from '../db/transaction.ts';
import { toIso } from '../kernel/clock.ts';
import { TIMER_HISTORY } from './registry.ts';
import type { TimerRow } from './store.ts';

/** What of the timers stands in the history of their verification: scheduled, fired, failed, canceled. */

type TimerFacts = Pick<TimerRow, 'kind' | 'owner' | 'payload' | 'dueAt' | 'why'>;

/** The verification in whose story the timer stands; null: in none. */
export const verificationOf = ({ kind, payload }: Pick<TimerRow, 'kind' | 'payload'>): string | null =>
  TIMER_HISTORY[kind].verificationOf(payload as never);

/** What runs at once is no news. */
export function recordScheduled(tx: Tx, timer: TimerFacts, now: number): void {
  if (!isImmediate(timer)) recordTimer(tx, timer, 'scheduled', { at: now, cause: timer.why });
}

export function recordCanceled(tx: Tx, timer: TimerRow, now: number): void {
  if (isNews(timer)) recordTimer(tx, timer, 'canceled', { at: now, cause: timer.why });
}

/** When a timer began to run, by the clock and by the history: what it did in between comes after it. */
export interface Beginning {
  at: number;
  began: number;
}
export const beginning = (db: Db, at: number): Beginning => ({ at, began: newestHistory(db) });

/** `again`: it is pending anew. */
export function recordFired(
  tx: Tx,
  timer: TimerRow,
  { at, began }: Beginning,
  again?: { dueAt: number; why: string },
): void {
  if (isNews(timer)) recordTimer(tx, timer, 'fired', { at, cause: timer.why, began });
  if (again) recordTimer(tx, { ...timer, ...again }, 'scheduled', { at, cause: again.why });
}

export function recordFailed(
  tx: Tx,
  timer: TimerRow,
  at: number,
  failure: { lastError: string; dueAt: number },
): void {
  recordTimer(tx, { ...timer, dueAt: failure.dueAt }, 'failed', { at, cause: failure.lastError });
}

const isImmediate = ({ kind }: Pick<TimerFacts, 'kind'>): boolean => TIMER_HISTORY[kind].isImmediate;
const isNews = (timer: TimerRow): boolean => timer.attempts > 0 || !isImmediate(timer);

function recordTimer(
  tx: Tx,
  timer: TimerFacts,
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
    vaspId: TIMER_HISTORY[kind].isOwnersAlone ? owner : null,
    from: null,
    event,
    to: null,
    at,
    cause,
    detail: { kind, dueAt: toIso(dueAt), ...(began === undefined ? {} : { began }) },
  });
}
