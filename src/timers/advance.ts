import type { Db } from '../db/open.ts';
import { write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { TimerKind } from './registry.ts';
import type { Runner, RunningTimer } from './runner.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { TimerStore } from './store.ts';

export type Fired = { kind: TimerKind; key: string; dueAt: number };

/** The timers that fired: the first of them in order, and how many of each kind. */
export interface Advanced {
  fired: Fired[];
  counts: FiredCounts;
}
export type FiredCounts = { [K in TimerKind]?: number };

export interface Advance {
  (owner: string, durationMs: number): Promise<Advanced>;
  /** The timers that the running `advance` of the owner has fired so far. Undefined: none runs. */
  progress(owner: string): FiredCounts | undefined;
}

const MOST_LISTED = 1_000;
/** This number of timers within this time of the VASP runs together, at the time of the last one. Fewer run one by one. */
const CROWD = 8;
const CROWD_WITHIN_MS = 1_000;
const MOST_AT_ONCE = 1_000;

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
  store: TimerStore;
  clock: SandboxClock;
  runner: Runner;
  silentAfterMs?: number | undefined;
}

/** `Timers.advance`. Calls for the same owner run one after the other. */
export function createAdvance({
  db,
  store,
  clock,
  runner,
  silentAfterMs = SILENT_AFTER_MS,
}: AdvanceDeps): Advance {
  const running = new Map<string, FiredCounts>();
  const latest = new Map<string, Promise<unknown>>();

  const untilSilentMs = ({ kind, startedAt }: RunningTimer): number =>
    CALLING_KINDS.has(kind) ? startedAt + silentAfterMs - elapsedMs() : Number.POSITIVE_INFINITY;

  async function moveThrough(owner: string, durationMs: number): Promise<void> {
    if (durationMs === 0) return runner.runDue(owner, untilSilentMs);
    const target = clock.now(owner) + durationMs;
    await runner.runDue(owner);
    for (;;) {
      const to = Math.min(nextStop(owner), target);
      write(db, tx => clock.moveTo(tx, owner, to));
      await runner.runDue(owner);
      if (to === target) return;
    }
  }

  function nextStop(owner: string): number {
    const times = store.nextTimes(owner, clock.now(owner), MOST_AT_ONCE);
    const [first = Number.POSITIVE_INFINITY] = times;
    const crowd = times.filter(time => time <= first + CROWD_WITHIN_MS);
    return crowd.length < CROWD ? first : crowd.at(-1)!;
  }

  async function advance(owner: string, durationMs: number): Promise<Advanced> {
    const fired: Fired[] = [];
    const counts: FiredCounts = {};
    running.set(owner, counts);
    const stopListening = runner.onRun(({ owner: its, kind, key, dueAt }) => {
      if (its !== owner) return;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (fired.length < MOST_LISTED) fired.push({ kind, key, dueAt });
    });
    try {
      await moveThrough(owner, durationMs);
      return { fired, counts };
    } finally {
      stopListening();
      running.delete(owner);
    }
  }

  const queued = (owner: string, durationMs: number): Promise<Advanced> => {
    const previous = latest.get(owner) ?? Promise.resolve();
    const current = previous.catch(() => {}).then(() => advance(owner, durationMs));
    latest.set(owner, current);
    return current;
  };
  return Object.assign(queued, { progress: (owner: string) => running.get(owner) });
}
