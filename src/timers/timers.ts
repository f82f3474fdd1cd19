import type { CallerId } from '../contract/tenancy.ts';
import { isClosing } from '../db/closing.ts';
import type { Db } from '../db/open.ts';
import { afterCommit, type Tx } from '../db/transaction.ts';
import { createAdvance, type Fired } from './advance.ts';
import type { TimerKind, TimerPayloads } from './registry.ts';
import { createRunner, type Runner, type RunnerDeps } from './runner.ts';
import type { NewTimerRow, TimerPosition } from './store.ts';
import * as timerRows from './store.ts';
import { recordCanceled, recordScheduled, verificationOf } from './timer-history.ts';

export type Timers = ReturnType<typeof createTimers>;

export interface TimerKey {
  kind: TimerKind;
  key: string;
}

export interface NewTimer<K extends TimerKind> {
  key: string;
  owner: string;
  /** Default: a queue of its own. */
  queue?: string | null;
  /** Epoch milliseconds on the owner's clock. */
  dueAt: number;
  why: string;
  payload: TimerPayloads[K];
}
export type PendingTimer = Fired & { why: string; attempts: number; lastError: string | null };
export type FailingTimer = PendingTimer & { verificationUuid: string | null };

/**
 * Durable timers. There is at most one pending timer per kind and key. Timers of one queue run in order, and queues run in
 * parallel. The number of running timers per owner is limited. A handler may run again after a crash: its changes commit
 * together with the end of its timer. `silentAfterMs`: real time after which `advance` by 0 ms no longer waits for the
 * answer of a VASP.
 */
export function createTimers({ silentAfterMs, ...deps }: RunnerDeps & { silentAfterMs?: number }) {
  const runner = createRunner(deps);
  return {
    ...timerChanges(deps, runner),
    ...timerReads(deps.db),
    /** Runs all timers that are due for the owner, also those that become due meanwhile, until none is left. */
    runDue: (owner: string) => runner.runDue(owner),
    /**
     * Moves the owner's time forward and stops at every timer on the way; a crowd of timers within 1 s is one stop.
     * Returns the timers that fired. With 0 ms it does not wait for a silent VASP: that call ends later, by its own time
     * limit.
     */
    advance: createAdvance({ ...deps, runner, silentAfterMs }),
    /** Those whose handler has started and has not ended. */
    running: (): { owner: string; verificationUuid: string | null }[] =>
      runner.running().map(row => ({ owner: row.owner, verificationUuid: verificationOf(row) })),
    start: runner.start,
    /** Starts no more timers. Resolves when the running ones have ended. */
    stop: runner.stop,
  };
}

const timerChanges = ({ clock }: RunnerDeps, runner: Runner) => ({
  /** Replaces a pending timer of the same kind and key. */
  schedule<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void {
    const row = rowOf(kind, timer);
    if (isClosing(tx, row.owner)) return;
    timerRows.upsert(tx, row);
    recordScheduled(tx, row, clock.now(row.owner));
    afterCommit(tx, () => runner.wakeAt(row.owner, row.dueAt));
  },
  /** Like `schedule`, but keeps a pending timer of the same kind and key. */
  ensure<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void {
    const row = rowOf(kind, timer);
    if (isClosing(tx, row.owner)) return;
    if (timerRows.insertIfAbsent(tx, row)) recordScheduled(tx, row, clock.now(row.owner));
    afterCommit(tx, () => runner.wakeAt(row.owner, row.dueAt));
  },
  /** Like `schedule`, but never later. A run that began before does not end the timer: it runs again. */
  bringForward<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void {
    const pending = timerRows.find(tx, kind, timer.key);
    if (pending && pending.dueAt <= timer.dueAt) return timerRows.renew(tx, pending);
    this.schedule(tx, kind, timer);
  },
  cancel(tx: Tx, kind: TimerKind, key: string): void {
    const removed = timerRows.remove(tx, kind, key);
    if (removed) recordCanceled(tx, removed, clock.now(removed.owner));
  },
  deleteAll: timerRows.removeOwner,
  /** At most `most` of the stored ones. Returns how many. */
  deleteSome: timerRows.removeSome,
});

const timerReads = (db: Db) => ({
  /** Due time and payload of a pending timer. */
  find: <K extends TimerKind>(kind: K, key: string) =>
    timerRows.find(db, kind, key) as { dueAt: number; payload: TimerPayloads[K] } | undefined,
  countPending: (owner: CallerId, limit: number) => timerRows.countOf(db, owner, limit),
  pendingOf: (keys: readonly TimerKey[]): PendingTimer[] =>
    keys.flatMap(({ kind, key }) => timerRows.find(db, kind, key) ?? []),
  /** The pending timers of an owner, next first, behind `after`. Default: the first 100. */
  pending: (owner: CallerId, after = { dueAt: 0, id: 0 }, limit = 100): (PendingTimer & TimerPosition)[] =>
    timerRows.pendingOf(db, owner, after, limit),
  /** Timers of `owners` with at least `times` failures in a row, the most failures first. At most `limit`. */
  failing: (owners: readonly string[], times: number, limit: number): FailingTimer[] =>
    timerRows.failing(db, owners, times, limit).map(row => ({ ...row, verificationUuid: verificationOf(row) })),
});

function rowOf(kind: TimerKind, { key, owner, queue, dueAt, why, payload }: NewTimer<TimerKind>): NewTimerRow {
  return { kind, key, owner, queue: queue ?? null, dueAt, why, payload };
}
