import { CommitRefused, groupCommit } from '../db/group-commit.ts';
import type { Db } from '../db/open.ts';
import { afterCommit, type Tx, write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { createLoop, firstWithin, pause } from './loop.ts';
import type { Outcome, TimerHandler, TimerHandlers, TimerKind, TimerPayloads } from './registry.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import { FOREVER, type RunningTimer, SILENT_AFTER_MS, untilSilentMs } from './silent-call.ts';
import { type TimerRow, timerStore } from './store.ts';
import {
  type Beginning,
  beginning,
  recordCanceled,
  recordFailed,
  recordFired,
  recordScheduled,
  verificationOf,
} from './timer-history.ts';

/**
 * Durable work. One pending timer per (kind, key); within a lane work is ordered, lanes run side by side, an owner's
 * share is bounded. Handlers may run again after a crash: what they change commits together with the timer's end.
 */
export interface Timers {
  schedule<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void;
  /** Like `schedule`, but a pending timer of that key stays as it is. */
  ensure<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void;
  cancel(tx: Tx, kind: TimerKind, key: string): void;
  /** What is pending for an owner, next first. */
  pending(owner: string): PendingTimer[];
  /** Those of these that are pending. */
  pendingOf(keys: readonly TimerKey[]): PendingTimer[];
  /** What has failed so often for one of the owners, and not succeeded since; the most often failed first. */
  failing(owners: readonly string[], times: number, limit: number): FailingTimer[];
  /** Runs everything that is due for the owner, and what that makes due, until nothing is left. */
  runDue(owner: string): Promise<void>;
  /**
   * Moves the owner's time forward, stopping at every timer on the way. Answers what fired, in order. By 0 ms it does
   * not wait for a VASP that stays silent: that call ends later, by its own limit.
   */
  advance(owner: string, durationMs: number): Promise<Fired[]>;
  deleteAll(tx: Tx, owner: string): void;
  start(handlers: TimerHandlers): void;
  /** Takes no new work and waits for what runs. */
  stop(): Promise<void>;
}

export interface TimerKey {
  kind: TimerKind;
  key: string;
}

export interface NewTimer<K extends TimerKind> {
  key: string;
  owner: string;
  /** Default: the key alone. */
  lane?: string;
  /** Epoch milliseconds on the owner's clock. */
  dueAt: number;
  why: string;
  payload: TimerPayloads[K];
}
export type Fired = { kind: TimerKind; key: string; dueAt: number };
export type PendingTimer = Fired & { why: string; attempts: number; lastError: string | null };
export type FailingTimer = PendingTimer & { verificationUuid: string | null };

/** Bounds what one owner may have under way, so that a slow or dead peer delays nobody else. */
const MOST_PER_OWNER = 64;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
const COMMIT_AGAIN_MS = 100;

type Result = { outcome: Outcome<unknown> } | { error: unknown };
interface Lanes {
  running: Map<number, RunningTimer>;
}

export function createTimers(deps: {
  db: Db;
  clock: SandboxClock;
  log: Log;
  silentAfterMs?: number;
}): Timers {
  const { db, clock, log, silentAfterMs = SILENT_AFTER_MS } = deps;
  const store = timerStore(db);
  const owners = new Map<string, Lanes>();
  const awake = new Set<string>();
  const watchers = new Set<(row: TimerRow) => void>();
  const advancing = new Map<string, Promise<unknown>>();
  let handlers: TimerHandlers | undefined;
  let stopping = false;

  const lanesOf = (owner: string): Lanes => {
    const lanes = owners.get(owner) ?? { running: new Map() };
    owners.set(owner, lanes);
    return lanes;
  };
  const wake = (owner: string) => {
    awake.add(owner);
    loop.soon();
  };
  const loop = createLoop(timeIsUp => {
    if (!handlers || stopping) return;
    const turn = timeIsUp ? [...owners.keys()] : [...awake];
    awake.clear();
    for (const owner of turn) pump(owner);
  });

  function pump(owner: string): void {
    const now = clock.now(owner);
    const lanes = lanesOf(owner);
    const busy = new Set([...lanes.running.values()].map(entry => entry.lane));
    const picked: TimerRow[] = [];
    for (const row of store.due(owner, now)) {
      if (lanes.running.size + picked.length >= MOST_PER_OWNER) break;
      if (busy.has(row.lane)) continue;
      busy.add(row.lane);
      picked.push(row);
    }
    for (const row of picked) run(lanes, row);
    const next = store.nextAfter(owner, now);
    if (next !== undefined) loop.within(next - clock.now(owner));
    else if (lanes.running.size === 0) owners.delete(owner);
  }

  function run(lanes: Lanes, row: TimerRow): void {
    for (const watch of watchers) watch(row);
    const begin = beginning(db, clock.now(row.owner));
    const done = execute(row).then(result => conclude(row, begin, result));
    lanes.running.set(row.id, {
      lane: row.lane,
      kind: row.kind,
      startedAt: elapsedMs(),
      done: done.then(() => {
        lanes.running.delete(row.id);
        wake(row.owner);
      }),
    });
  }

  async function execute(row: TimerRow): Promise<Result> {
    try {
      const handler = handlers![row.kind] as TimerHandler<TimerKind>;
      const outcome = await handler(row.payload as never, row.owner);
      if (outcome.againAt !== undefined && outcome.againAt <= row.dueAt)
        throw new RangeError(`${row.kind} asked to run again in the past`);
      return { outcome };
    } catch (error) {
      return { error };
    }
  }

  /** What was decided commits, or when to try again. The database may refuse for a while: the decision stands. */
  async function conclude(row: TimerRow, begin: Beginning, result: Result): Promise<void> {
    for (let decided = result; ; ) {
      try {
        return await groupCommit(db, tx =>
          'error' in decided
            ? retryLater(tx, row, begin, decided.error)
            : commit(tx, row, begin, decided.outcome),
        );
      } catch (error) {
        if (!(error instanceof CommitRefused) && !('error' in decided)) {
          decided = { error };
          continue;
        }
        log.error({ err: String(error) }, 'the database refuses to commit, will be tried again');
        await pause(COMMIT_AGAIN_MS);
      }
    }
  }

  function commit(tx: Tx, row: TimerRow, begin: Beginning, outcome: Outcome<unknown>): void {
    const { againAt, why = row.why } = outcome;
    const payload = outcome.payload ?? row.payload;
    const again = againAt === undefined ? undefined : { dueAt: againAt, why };
    const isOurs = again
      ? store.move(tx, row, { dueAt: again.dueAt, attempts: row.attempts + 1, lastError: null, why, payload })
      : store.finish(tx, row);
    if (isOurs) recordFired(tx, row, begin, again);
    outcome.apply?.(tx);
  }

  function retryLater(tx: Tx, row: TimerRow, { at }: Beginning, error: unknown): void {
    const attempts = row.attempts + 1;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_RETRY_MS);
    const lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    log.warn({ kind: row.kind, key: row.key, attempts, err: lastError }, 'timer failed, will be tried again');
    const dueAt = clock.now(row.owner) + delayMs;
    if (store.move(tx, row, { dueAt, attempts, lastError })) recordFailed(tx, row, at, { lastError, dueAt });
  }

  async function runDue(owner: string, patienceMs = (_: RunningTimer) => FOREVER): Promise<void> {
    for (;;) {
      if (stopping) throw new Error('the program is stopping');
      pump(owner);
      const awaited = [...lanesOf(owner).running.values()].filter(each => patienceMs(each) > 0);
      if (awaited.length === 0) return;
      await firstWithin(
        Math.min(...awaited.map(patienceMs)),
        awaited.map(each => each.done),
      );
    }
  }

  async function moveThrough(owner: string, durationMs: number): Promise<Fired[]> {
    const target = clock.now(owner) + durationMs;
    const fired: Fired[] = [];
    const watch = (row: TimerRow) => {
      if (row.owner === owner) fired.push({ kind: row.kind, key: row.key, dueAt: row.dueAt });
    };
    watchers.add(watch);
    try {
      await runDue(owner, durationMs === 0 ? each => untilSilentMs(each, silentAfterMs) : undefined);
      if (durationMs === 0) return fired;
      for (;;) {
        const next = store.nextAfter(owner, clock.now(owner));
        const to = next === undefined || next > target ? target : next;
        write(db, tx => clock.moveTo(tx, owner, to));
        await runDue(owner);
        if (to === target) return fired;
      }
    } finally {
      watchers.delete(watch);
    }
  }

  const rowOf = (kind: TimerKind, { key, owner, lane, dueAt, why, payload }: NewTimer<TimerKind>) => ({
    kind,
    key,
    owner,
    lane: lane ?? `${kind} ${key}`,
    dueAt,
    why,
    payload,
  });

  function wakeFor(tx: Tx, { owner, dueAt }: NewTimer<TimerKind>): void {
    afterCommit(tx, () => {
      lanesOf(owner);
      const inMs = dueAt - clock.now(owner);
      if (inMs <= 0) wake(owner);
      else loop.within(inMs);
    });
  }

  return {
    schedule(tx, kind, timer) {
      const row = rowOf(kind, timer);
      store.upsert(tx, row);
      recordScheduled(tx, row, clock.now(row.owner));
      wakeFor(tx, timer);
    },
    ensure(tx, kind, timer) {
      const row = rowOf(kind, timer);
      if (store.insertIfAbsent(tx, row)) recordScheduled(tx, row, clock.now(row.owner));
      wakeFor(tx, timer);
    },
    cancel(tx, kind, key) {
      const row = store.remove(tx, kind, key);
      if (row) recordCanceled(tx, row, clock.now(row.owner));
    },
    pendingOf: keys => keys.flatMap(({ kind, key }) => store.find(kind, key) ?? []),
    pending: owner =>
      store.pendingOf(owner).map(({ kind, key, dueAt, why, attempts, lastError }) => ({
        kind,
        key,
        dueAt,
        why,
        attempts,
        lastError,
      })),
    failing: (owners, times, limit) =>
      store.failing(owners, times, limit).map(row => ({ ...row, verificationUuid: verificationOf(row) })),
    runDue: runDue,
    advance(owner, durationMs) {
      const before = advancing.get(owner) ?? Promise.resolve();
      const move = before.catch(() => {}).then(() => moveThrough(owner, durationMs));
      advancing.set(owner, move);
      return move;
    },
    deleteAll: (tx, owner) => store.removeOwner(tx, owner),
    start(all) {
      handlers = all;
      for (const owner of store.owners()) wake(owner);
    },
    async stop() {
      stopping = true;
      const running = [...owners.values()].flatMap(lanes =>
        [...lanes.running.values()].map(entry => entry.done),
      );
      await Promise.all(running);
      loop.stop();
    },
  };
}
