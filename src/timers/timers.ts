import type { CallerId } from '../contract/tenancy.ts';
import { isClosing } from '../db/closing.ts';
import type { Db } from '../db/open.ts';
import { type TimerKind, USUAL_REASONS } from '../db/schema/runtime.ts';
import { afterCommit, type Tx, write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { limitPerKey } from '../kernel/turns.ts';
import { besidesKey, keyOf, type TimerPayloads, wholePayload } from './registry.ts';
import { createRunner, type Runner, type RunnerDeps, type RunningTimer } from './runner.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import * as timerRows from './store.ts';
import {
  type NewTimerRow,
  recordCanceled,
  recordScheduled,
  type TimerPosition,
  type TimerRow,
  verificationOf,
} from './store.ts';

type Fired = { kind: TimerKind; key: string; dueAt: number };

/** The timers that fired: the first of them in order, and how many of each kind. */
interface Advanced {
  fired: Fired[];
  counts: FiredCounts;
}
type FiredCounts = { [K in TimerKind]?: number };

/** Moves the clocks of other programs that go with one of this program, until they are ahead by as much. */
export type Follow = (aheadMs: number) => Promise<Followed[]>;
/** What fired in one of them. `nextAheadMs`: where its next timer is due. Null: it has none. */
export type Followed = Advanced & { nextAheadMs: number | null };

const MAX_LISTED = 1_000;
/** This number of timers within this time of the VASP runs together, at the time of the last one. Fewer run one by one. */
const CROWD = 8;
const CROWD_WITHIN_MS = 1_000;
const MAX_CROWD = 1_000;
/** The two sides may call each other. */
const MAX_ROUNDS = 20;

/** A VASP is silent after this time without an answer. More than the limits of 1 s: those calls end first. */
const SILENT_AFTER_MS = 2_000;

/** The handlers of these kinds wait for the answer of a VASP. All others end by themselves. */
const CALLING_KINDS: ReadonlySet<string> = new Set<TimerKind>([
  'enclave.verification.ask',
  'enclave.callback.deliver',
  'robot.deposit.inquire',
]);

interface AdvanceDeps {
  db: Db;
  clock: SandboxClock;
  runner: Runner;
  silentAfterMs?: number | undefined;
}

/** Calls for the same owner run one after the other. */
function createAdvance(deps: AdvanceDeps) {
  const { clock } = deps;
  const running = new Map<string, FiredCounts>();
  const oneOfEach = limitPerKey(1);

  async function advance(owner: string, durationMs: number, follow: Follow): Promise<Advanced> {
    const advanced: Advanced = { fired: [], counts: {} };
    running.set(owner, advanced.counts);
    const stopListening = deps.runner.onRun(({ owner: its, kind, key, dueAt }) => {
      if (its === owner) note(advanced, { fired: [{ kind, key, dueAt }], counts: { [kind]: 1 } });
    });
    try {
      const noteTheirs = (theirs: Advanced) => note(advanced, theirs);
      await moveThrough(deps, owner, durationMs, settling(deps, owner, follow, noteTheirs));
      return advanced;
    } finally {
      stopListening();
      running.delete(owner);
    }
  }

  const inTurn = (owner: string, durationMs: () => number, follow = nobody): Promise<Advanced> =>
    oneOfEach(owner, () => advance(owner, durationMs(), follow));
  return {
    /**
     * Moves the owner's time forward and stops at every timer on the way; a crowd of timers within 1 s is one stop.
     * Returns the timers that fired. With 0 ms it does not wait for a silent VASP: that call ends later, by its own time
     * limit.
     */
    advance: (owner: string, durationMs: number, follow?: Follow) => inTurn(owner, () => durationMs, follow),
    /** The same until the time of the owner is ahead by `aheadMs`. It never moves back. */
    advanceUntil: (owner: string, aheadMs: number) => inTurn(owner, () => Math.max(0, aheadMs - clock.aheadOf(owner))),
    /** Where the next timer of the owner is due, as time ahead of the machine's. Null: there is none. */
    nextAheadMs(owner: string): number | null {
      const next = nextStop(deps, owner);
      return Number.isFinite(next) ? next - clock.machineNow() : null;
    },
    /** The timers that the running `advance` of the owner has fired so far. Undefined: none runs. */
    progressOf: (owner: string): FiredCounts | undefined => running.get(owner),
  };
}

function note(advanced: Advanced, { fired, counts }: Advanced): void {
  for (const [kind, count] of Object.entries(counts) as [TimerKind, number][])
    advanced.counts[kind] = (advanced.counts[kind] ?? 0) + count;
  advanced.fired.push(...fired.slice(0, MAX_LISTED - advanced.fired.length));
}

async function moveThrough(deps: AdvanceDeps, owner: string, durationMs: number, settle: Settle): Promise<void> {
  const { db, clock, silentAfterMs = SILENT_AFTER_MS } = deps;
  const untilSilentMs = ({ kind, startedAt }: RunningTimer): number =>
    CALLING_KINDS.has(kind) ? startedAt + silentAfterMs - elapsedMs() : Number.POSITIVE_INFINITY;
  if (durationMs === 0) return void (await settle(untilSilentMs));
  const target = clock.now(owner) + durationMs;
  let theirNext = await settle();
  for (;;) {
    const to = Math.min(nextStop(deps, owner), theirNext, target);
    write(db, tx => clock.moveTo(tx, owner, to));
    theirNext = await settle();
    if (to === target) return;
  }
}

/** Runs what is due here and there, until nothing has fired there. Returns the time of the next timer there. */
const settling =
  ({ clock, runner }: AdvanceDeps, owner: string, follow: Follow, noteTheirs: (theirs: Advanced) => void): Settle =>
  async patience => {
    for (let round = 1; ; round++) {
      await runner.runDue(owner, patience);
      const others = await follow(clock.aheadOf(owner));
      others.forEach(noteTheirs);
      if (others.every(({ fired }) => fired.length === 0) || round === MAX_ROUNDS)
        return clock.machineNow() + Math.min(...others.map(({ nextAheadMs }) => nextAheadMs ?? Infinity));
    }
  };

function nextStop({ db, clock }: Pick<AdvanceDeps, 'clock' | 'db'>, owner: string): number {
  const times = timerRows.nextTimes(db, owner, clock.now(owner), MAX_CROWD);
  const [first = Number.POSITIVE_INFINITY] = times;
  const crowd = times.filter(time => time <= first + CROWD_WITHIN_MS);
  return crowd.length < CROWD ? first : crowd.at(-1)!;
}

type Settle = (patience?: (timer: RunningTimer) => number) => Promise<number>;
const nobody: Follow = async () => [];

export type Timers = ReturnType<typeof createTimers>;

export interface TimerKey {
  kind: TimerKind;
  key: string;
}

export interface NewTimer<K extends TimerKind> {
  owner: string;
  /** Default: a queue of its own. */
  queue?: string | null;
  /** Epoch milliseconds on the owner's clock. */
  dueAt: number;
  /** Default: the usual reason of its kind. */
  why?: string | null;
  payload: TimerPayloads[K];
}
export type PendingTimer = Fired & { why: string; attempts: number; lastError: string | null };
type FailingTimer = PendingTimer & { verificationUuid: string | null };

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
    ...createAdvance({ ...deps, runner, silentAfterMs }),
    /** Those whose handler has started and has not ended. */
    running: (): { owner: string; verificationUuid: string | null }[] =>
      runner.running().map(row => ({ owner: row.owner, verificationUuid: verificationOf(row) })),
    start: runner.start,
    /** Starts no more timers. Resolves when the running ones have ended. */
    stop: runner.stop,
  };
}

function timerChanges({ clock }: RunnerDeps, runner: Runner) {
  const change =
    (store: (tx: Tx, row: NewTimerRow) => boolean) =>
    <K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void => {
      const { queue = null, why = null } = timer;
      const payload = besidesKey(kind, timer.payload);
      const row: NewTimerRow = { ...timer, kind, key: keyOf(kind, timer.payload), queue, why, payload };
      if (isClosing(tx, row.owner)) return;
      if (store(tx, row)) recordScheduled(tx, row, clock.now(row.owner));
      afterCommit(tx, () => runner.wakeAt(row.owner, row.dueAt));
    };
  /** Replaces a pending timer of the same kind and key. */
  const schedule = change(timerRows.upsert);
  return {
    schedule,
    /** Like `schedule`, but keeps a pending timer of the same kind and key. */
    ensure: change(timerRows.insertIfAbsent),
    /** Like `schedule`, but never later. A run that began before does not end the timer: it runs again. */
    bringForward<K extends TimerKind>(tx: Tx, kind: K, timer: NewTimer<K>): void {
      const pending = timerRows.find(tx, kind, keyOf(kind, timer.payload));
      if (pending && pending.dueAt <= timer.dueAt) timerRows.renew(tx, pending);
      else schedule(tx, kind, timer);
    },
    cancel(tx: Tx, kind: TimerKind, key: string): void {
      const removed = timerRows.remove(tx, kind, key);
      if (removed) recordCanceled(tx, removed, clock.now(removed.owner));
    },
    deleteAll: timerRows.removeOwner,
    /** At most `limit` of the stored ones. Returns how many. */
    deleteSome: timerRows.removeSome,
  };
}

const withReasons = (rows: readonly TimerRow[]) =>
  rows.map(row => ({ ...row, why: row.why ?? USUAL_REASONS[row.kind] }));

const timerReads = (db: Db) => ({
  /** Due time and payload of a pending timer. */
  find<K extends TimerKind>(kind: K, key: string): { dueAt: number; payload: TimerPayloads[K] } | undefined {
    const row = timerRows.find(db, kind, key);
    return row && { dueAt: row.dueAt, payload: wholePayload(kind, key, row.payload) };
  },
  countPending: (owner: CallerId, limit: number) => timerRows.countOf(db, owner, limit),
  pendingOf: (keys: readonly TimerKey[]): PendingTimer[] =>
    withReasons(keys.flatMap(({ kind, key }) => timerRows.find(db, kind, key) ?? [])),
  /** The pending timers of an owner, next first, behind `after`. Default: the first 100. */
  pending: (owner: CallerId, after = { dueAt: 0, id: 0 }, limit = 100): (PendingTimer & TimerPosition)[] =>
    withReasons(timerRows.pendingOf(db, owner, after, limit)),
  /** Timers of `owners` with at least `times` failures in a row, the most failures first. At most `limit`. */
  failing: (owners: readonly string[], times: number, limit: number): FailingTimer[] =>
    withReasons(timerRows.failing(db, owners, times, limit)).map(row => ({
      ...row,
      verificationUuid: verificationOf(row),
    })),
});
