import type { CallerId } from '../contract/tenancy.ts';
import type { Db } from '../db/open.ts';
import { afterCommit, type Tx } from '../db/transaction.ts';
import type { Log } from '../kernel/log.ts';
import { type Advance, createAdvance, type Fired } from './advance.ts';
import type { TimerHandlers, TimerKind, TimerPayloads } from './registry.ts';
import { createRunner, type MostOf } from './runner.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import { type NewTimerRow, type TimerPosition, timerStore } from './store.ts';
import { recordCanceled, recordScheduled, verificationOf } from './timer-history.ts';

/**
 * Durable timers. There is at most one pending timer per kind and key. Timers of one queue run in order, and queues run in
 * parallel. The number of running timers per owner is limited. A handler may run again after a crash: its changes commit
 * together with the end of its timer.
 */
export interface Timers {
  /** Replaces a pending timer of the same kind and key. */
  schedule<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void;
  /** Like `schedule`, but keeps a pending timer of the same kind and key. */
  ensure<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void;
  cancel(tx: Tx, kind: TimerKind, key: string): void;
  /** The pending timers of an owner, next first, behind `after`. Default: the first 100. */
  pending(owner: CallerId, after?: TimerPosition, limit?: number): (PendingTimer & TimerPosition)[];
  /** Number of pending timers of an owner, at most `most`. */
  countPending(owner: CallerId, most: number): number;
  /** The payload of a pending timer. Undefined: there is none. */
  payloadOf<K extends TimerKind>(kind: K, key: string): TimerPayloads[K] | undefined;
  /** The pending timers among `keys`. */
  pendingOf(keys: readonly TimerKey[]): PendingTimer[];
  /** Timers of `owners` with at least `times` failures in a row, the most failures first. At most `limit`. */
  failing(owners: readonly string[], times: number, limit: number): FailingTimer[];
  /** Runs all timers that are due for the owner, also those that become due meanwhile, until none is left. */
  runDue(owner: string): Promise<void>;
  /**
   * Moves the owner's time forward and stops at every timer on the way; a crowd of timers within 1 s is one stop.
   * Answers the timers that fired. With 0 ms it does not wait for a silent VASP: that call ends later, by its own time
   * limit.
   */
  advance: Advance;
  deleteAll(tx: Tx, owner: string): void;
  /** At most `most` of the stored ones. Answers how many. */
  deleteSome(tx: Tx, owner: string, most: number): number;
  start(handlers: TimerHandlers): void;
  /** Starts no more timers. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface TimerKey {
  kind: TimerKind;
  key: string;
}

export interface NewTimer<K extends TimerKind> {
  key: string;
  owner: string;
  /** Default: a queue of its own. */
  queue?: string;
  /** Epoch milliseconds on the owner's clock. */
  dueAt: number;
  why: string;
  payload: TimerPayloads[K];
}
export type PendingTimer = Fired & { why: string; attempts: number; lastError: string | null };
export type FailingTimer = PendingTimer & { verificationUuid: string | null };

/** `silentAfterMs`: real time after which `advance` by 0 ms no longer waits for the answer of a VASP. */
export function createTimers(deps: {
  db: Db;
  clock: SandboxClock;
  log: Log;
  silentAfterMs?: number;
  mostOf?: MostOf;
}): Timers {
  const { db, clock, log, silentAfterMs, mostOf } = deps;
  const store = timerStore(db);
  const runner = createRunner({ db, store, clock, log, mostOf });

  function wakeAfterCommit(tx: Tx, { owner, dueAt }: NewTimerRow): void {
    afterCommit(tx, () => runner.wakeAt(owner, dueAt));
  }

  return {
    schedule(tx, kind, timer) {
      const row = rowOf(kind, timer);
      store.upsert(tx, row);
      recordScheduled(tx, row, clock.now(row.owner));
      wakeAfterCommit(tx, row);
    },
    ensure(tx, kind, timer) {
      const row = rowOf(kind, timer);
      if (store.insertIfAbsent(tx, row)) recordScheduled(tx, row, clock.now(row.owner));
      wakeAfterCommit(tx, row);
    },
    cancel(tx, kind, key) {
      const removed = store.remove(tx, kind, key);
      if (removed) recordCanceled(tx, removed, clock.now(removed.owner));
    },
    countPending: store.countOf,
    payloadOf: (kind, key) => store.find(kind, key)?.payload as never,
    pendingOf: keys => keys.flatMap(({ kind, key }) => store.find(kind, key) ?? []),
    pending: (owner, after = { dueAt: 0, id: 0 }, limit = 100) =>
      store.pendingOf(owner, after, limit).map(({ id, kind, key, dueAt, why, attempts, lastError }) => ({
        id,
        kind,
        key,
        dueAt,
        why,
        attempts,
        lastError,
      })),
    failing: (owners, times, limit) =>
      store.failing(owners, times, limit).map(row => ({ ...row, verificationUuid: verificationOf(row) })),
    runDue: owner => runner.runDue(owner),
    advance: createAdvance({ db, store, clock, runner, silentAfterMs }),
    deleteAll: (tx, owner) => store.removeOwner(tx, owner),
    deleteSome: (tx, owner, most) => store.removeSome(tx, owner, most),
    start: runner.start,
    stop: runner.stop,
  };
}

function rowOf(
  kind: TimerKind,
  { key, owner, queue, dueAt, why, payload }: NewTimer<TimerKind>,
): NewTimerRow {
  return {
    kind,
    key,
    owner,
    queue: queue ?? `${kind} ${key}`,
    dueAt,
    why,
    payload,
  };
}
