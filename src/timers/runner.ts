import type { Db } from '../db/open.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { firstWithin } from '../kernel/interval.ts';
import type { Log } from '../kernel/log.ts';
import { commitResult, type RunResult } from './commit-result.ts';
import { createLoop } from './loop.ts';
import { type MostOf, pickDue } from './pick-due.ts';
import type { TimerHandler, TimerHandlers, TimerKind } from './registry.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { TimerRow, TimerStore } from './store.ts';
import { runStart } from './timer-history.ts';

/** A timer whose handler has started and has not ended. */
export interface RunningTimer {
  row: TimerRow;
  queue: string;
  kind: TimerKind;
  /** Monotonic milliseconds. */
  startedAt: number;
  done: Promise<void>;
}

/** Runs due timers, by itself and on request. */
export type Runner = ReturnType<typeof createRunner>;

/** While the time is advanced, timers start together, so that together they commit. */
const STARTED_AGAIN_AT = 8;

export interface RunnerDeps {
  db: Db;
  store: TimerStore;
  clock: SandboxClock;
  log: Log;
  /** The most running timers of this kind and owner. Default: there is no such limit. */
  mostOf?: MostOf | undefined;
}

export function createRunner(deps: RunnerDeps) {
  const { db, store, clock, mostOf = () => Number.POSITIVE_INFINITY } = deps;
  /** Lists: a map that changes with every timer leaves garbage that only a long collection finds. */
  const owners = new Map<string, RunningTimer[]>();
  const awake = new Set<string>();
  /** Called when no timer of the owner runs. */
  const waits = new Map<string, (() => void)[]>();
  /** No stored timer of the owner becomes due before this time of its clock, so nobody looks for one. */
  const nothingDueBefore = new Map<string, number>();
  const listeners = new Set<(row: TimerRow) => void>();
  const committing = { isStopping: () => stopping, ...deps };
  let handlers: TimerHandlers | undefined;
  let stopping = false;

  const loop = createLoop(timeIsUp => {
    if (!handlers || stopping) return;
    const turn = timeIsUp ? [...owners.keys()] : [...awake];
    awake.clear();
    for (const owner of turn) startDue(owner);
  });
  const wake = (owner: string) => {
    awake.add(owner);
    loop.soon();
  };
  const runningOf = (owner: string): RunningTimer[] => {
    const running = owners.get(owner) ?? [];
    owners.set(owner, running);
    return running;
  };

  const nothingRuns = (owner: string): Promise<void> =>
    new Promise(resolve => waits.set(owner, [...(waits.get(owner) ?? []), resolve]));
  function endWaits(owner: string): void {
    const resolves = waits.get(owner) ?? [];
    waits.delete(owner);
    for (const resolve of resolves) resolve();
  }

  function startDue(owner: string): void {
    const now = clock.now(owner);
    const running = runningOf(owner);
    if (waits.has(owner) && running.length > STARTED_AGAIN_AT) return;
    const quietUntil = nothingDueBefore.get(owner) ?? Number.NEGATIVE_INFINITY;
    const { picked, next } =
      now < quietUntil ? { picked: [], next: quietUntil } : pickDue(store, owner, now, running, mostOf);
    if (picked === undefined) nothingDueBefore.set(owner, next);
    for (const row of picked ?? []) run(running, row);
    if (Number.isFinite(next)) loop.within(next - clock.now(owner));
    else if (running.length === 0) owners.delete(owner);
  }

  function run(running: RunningTimer[], row: TimerRow): void {
    for (const listener of listeners) listener(row);
    const start = runStart(db, row, clock.now(row.owner));
    const committed = callHandler(row).then(result => commitResult(committing, row, start, result));
    const timer: RunningTimer = {
      row,
      queue: row.queue,
      kind: row.kind,
      startedAt: elapsedMs(),
      done: committed.then(() => {
        nothingDueBefore.delete(row.owner);
        remove(running, timer);
        wake(row.owner);
        if (running.length === 0) endWaits(row.owner);
      }),
    };
    running.push(timer);
  }

  async function callHandler(row: TimerRow): Promise<RunResult> {
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

  return {
    /** Runs the owner's due timers as soon as its clock reaches `dueAt`. */
    wakeAt(owner: string, dueAt: number): void {
      runningOf(owner);
      const quietUntil = nothingDueBefore.get(owner);
      if (quietUntil !== undefined && dueAt < quietUntil) nothingDueBefore.set(owner, dueAt);
      const inMs = dueAt - clock.now(owner);
      if (inMs <= 0) wake(owner);
      else loop.within(inMs);
    },
    /**
     * Runs all timers that are due for the owner, also those that become due meanwhile, until none is left. Waits for
     * each running timer at most `patienceMs`, by default until it ends. Rejects while the program stops.
     */
    async runDue(owner: string, patienceMs?: (timer: RunningTimer) => number): Promise<void> {
      for (;;) {
        if (stopping) throw new Error('the program is stopping');
        startDue(owner);
        const running = [...runningOf(owner)];
        if (!patienceMs) {
          if (running.length === 0) return;
          await nothingRuns(owner);
          continue;
        }
        const awaited = running.filter(timer => patienceMs(timer) > 0);
        if (awaited.length === 0) return;
        await firstWithin(
          Math.min(...awaited.map(patienceMs)),
          awaited.map(timer => timer.done),
        );
      }
    },
    /** Calls `listener` for every timer that starts. The returned function ends that. */
    onRun(listener: (row: TimerRow) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(all: TimerHandlers): void {
      handlers = all;
      for (const owner of store.owners()) wake(owner);
    },
    /** Starts no more timers. Resolves when the running ones have ended. */
    async stop(): Promise<void> {
      stopping = true;
      const running = [...owners.values()].flat();
      await Promise.all(running.map(timer => timer.done));
      loop.stop();
    },
  };
}

/** The order of the others may change. */
function remove(timers: RunningTimer[], timer: RunningTimer): void {
  const last = timers.pop()!;
  if (last !== timer) timers[timers.indexOf(timer)] = last;
}
