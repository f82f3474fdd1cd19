import { isClosing } from '../db/closing.ts';
import type { Db } from '../db/open.ts';
import type { TimerKind } from '../db/schema/runtime.ts';
import { afterCommit, CommitRefused, groupCommit, type Tx } from '../db/transaction.ts';
import { elapsedMs, firstWithin } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { ProgramStops } from '../kernel/program.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { createLoop, pause } from './loop.ts';
import { besidesKey, type Outcome, type TimerHandler, type TimerHandlers, wholePayload } from './registry.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import * as timerRows from './store.ts';
import { type MaxOf, pickDue, type RunStart, recordFailed, recordFired, runStart, type TimerRow } from './store.ts';

/** A timer whose handler has started and has not ended. */
export interface RunningTimer {
  row: TimerRow;
  queue: string;
  kind: TimerKind;
  /** Monotonic milliseconds. */
  startedAt: number;
  done: Promise<void>;
}

/** The timers of one owner in this process. A list: what changes with every timer must leave little garbage. */
interface OwnTimers {
  running: RunningTimer[];
  /** Called when none of them runs any more. */
  waits: (() => void)[];
  /** No stored timer becomes due before this time of the owner's clock, so nobody looks for one. */
  quietUntil: number;
}

export interface RunnerDeps {
  db: Db;
  clock: SandboxClock;
  log: Log;
  /** The most running timers of this kind and owner. Default: there is no such limit. */
  maxOf?: MaxOf | undefined;
  /** Due timers of an owner start in its turn. Default: at once. */
  turnOf?: ((owner: string) => Promise<void>) | undefined;
}

type Patience = (timer: RunningTimer) => number;
type RunResult = { outcome: Outcome<unknown> } | { error: unknown };

/** While the time is advanced, timers start together, so that together they commit. */
const STARTED_AGAIN_AT = 8;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
const AGAIN_MS = 100;
const noLimit: MaxOf = () => Number.POSITIVE_INFINITY;

/** Runs due timers, by itself and on request. */
export type Runner = ReturnType<typeof createRunner>;

export function createRunner({ db, clock, log, maxOf = noLimit, turnOf }: RunnerDeps) {
  const owners = new Map<string, OwnTimers>();
  const awake = new Set<string>();
  /** Those who wait for their turn. */
  const asked = new Set<string>();
  const listeners = new Set<(row: TimerRow) => void>();
  let handlers: TimerHandlers | undefined;
  let isStopping = false;
  const loop = createLoop(takeTurn);

  function wakeAt(owner: string, dueAt: number): void {
    const own = ownTimers(owner);
    own.quietUntil = Math.min(own.quietUntil, dueAt);
    const inMs = dueAt - clock.now(owner);
    if (inMs <= 0) wake(owner);
    else loop.within(inMs);
  }

  function wake(owner: string): void {
    awake.add(owner);
    loop.soon();
  }

  function takeTurn(timeIsUp: boolean): void {
    if (!handlers || isStopping) return;
    const due = new Set(timeIsUp ? [...owners.keys(), ...awake] : awake);
    awake.clear();
    for (const owner of due) startInTurn(owner);
  }

  function startInTurn(owner: string): void {
    if (!turnOf) return startOrWait(owner);
    if (asked.has(owner)) return;
    asked.add(owner);
    void turnOf(owner).then(() => {
      asked.delete(owner);
      if (!isStopping) startOrWait(owner);
    });
  }

  /** In storage trouble the due timers wait. */
  function startOrWait(owner: string): void {
    try {
      startDue(owner);
    } catch (error) {
      if (!storageTrouble(error)) throw error;
      log.error({ err: String(error) }, 'the database does not tell which timers are due, will be tried again');
      ownTimers(owner).quietUntil = Number.NEGATIVE_INFINITY;
      loop.within(AGAIN_MS);
    }
  }

  function ownTimers(owner: string): OwnTimers {
    const own = owners.get(owner) ?? { running: [], waits: [], quietUntil: Number.NEGATIVE_INFINITY };
    owners.set(owner, own);
    return own;
  }

  function startDue(owner: string): void {
    const own = ownTimers(owner);
    if (own.waits.length > 0 && own.running.length > STARTED_AGAIN_AT) return;
    const now = clock.now(owner);
    let next = own.quietUntil;
    if (now >= next) {
      const due = pickDue(db, owner, now, own.running, maxOf);
      next = due.next;
      own.quietUntil = due.isAll ? next : Number.NEGATIVE_INFINITY;
      for (const row of due.picked) run(own, row);
    }
    if (Number.isFinite(next)) loop.within(next - clock.now(owner));
    else if (own.running.length === 0) owners.delete(owner);
  }

  function run(own: OwnTimers, row: TimerRow): void {
    for (const listener of listeners) listener(row);
    const start = runStart(db, row, clock.now(row.owner));
    const committed = callHandler(row).then(result => commitResult(row, start, result));
    const timer: RunningTimer = {
      row,
      queue: timerRows.queueOf(row),
      kind: row.kind,
      startedAt: elapsedMs(),
      done: committed.then(() => {
        remove(own.running, timer);
        wake(row.owner);
        if (own.running.length === 0) for (const resolve of own.waits.splice(0)) resolve();
      }),
    };
    own.running.push(timer);
  }

  async function callHandler(row: TimerRow): Promise<RunResult> {
    try {
      const handler = handlers![row.kind] as TimerHandler<TimerKind>;
      const outcome = await handler(wholePayload(row.kind, row.key, row.payload), row.owner);
      if (outcome.againAt !== undefined && outcome.againAt <= row.dueAt)
        throw new RangeError(`${row.kind} asked to run again in the past`);
      return { outcome };
    } catch (error) {
      return { error };
    }
  }

  /** Commits an outcome, or schedules a retry after an error. Waits while the database refuses to commit. */
  async function commitResult(row: TimerRow, start: RunStart, result: RunResult): Promise<void> {
    for (let current = result; ; ) {
      try {
        return await groupCommit(db, tx => {
          if (isClosing(tx, row.owner)) return void timerRows.finish(tx, row);
          if ('error' in current) retryLater(tx, row, start, current.error);
          else commitOutcome(tx, row, start, current.outcome);
        });
      } catch (error) {
        if (isOfHandler(error) && !('error' in current)) {
          current = { error };
          continue;
        }
        // The result is dropped, as after a kill.
        if (isStopping) return;
        log.error({ err: String(error) }, 'the database refuses to commit, will be tried again');
        await pause(AGAIN_MS);
      }
    }
  }

  function commitOutcome(tx: Tx, row: TimerRow, start: RunStart, outcome: Outcome<unknown>): void {
    const { againAt, why = null } = outcome;
    const payload = outcome.payload ? besidesKey(row.kind, outcome.payload) : row.payload;
    const next = againAt === undefined ? undefined : { dueAt: againAt, why };
    const to = next && { attempts: row.attempts + 1, lastError: null, payload, ...next };
    if (endRun(tx, row, to)) recordFired(tx, row, start, next);
    outcome.apply?.(tx);
  }

  /** False: the timer was scheduled again or removed meanwhile. */
  function endRun(tx: Tx, row: TimerRow, to?: Parameters<typeof timerRows.move>[2]): boolean {
    const isCurrent = to ? timerRows.move(tx, row, to) : timerRows.finish(tx, row);
    const dueAt = isCurrent ? to?.dueAt : row.dueAt;
    if (dueAt !== undefined) afterCommit(tx, () => wakeAt(row.owner, dueAt));
    return isCurrent;
  }

  function retryLater(tx: Tx, row: TimerRow, { at }: RunStart, error: unknown): void {
    // Storage trouble is no failure of the timer: the first delay stays.
    const attempts = row.attempts + (storageTrouble(error) ? 0 : 1);
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 20), LONGEST_RETRY_MS);
    const lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    log.warn({ kind: row.kind, key: row.key, attempts, err: lastError }, 'timer failed, will be tried again');
    const dueAt = clock.now(row.owner) + delayMs;
    if (endRun(tx, row, { dueAt, attempts, lastError })) recordFailed(tx, row, at, { lastError, dueAt });
  }

  return {
    /** Runs the owner's due timers as soon as its clock reaches `dueAt`. */
    wakeAt,
    /**
     * Runs all timers that are due for the owner, also those that become due meanwhile, until none is left. Waits for
     * each running timer at most `patienceMs`, by default until it ends. Rejects while the program stops.
     */
    async runDue(owner: string, patienceMs?: Patience): Promise<void> {
      for (;;) {
        if (isStopping) throw new ProgramStops('timers start no more');
        startDue(owner);
        const { running, waits } = ownTimers(owner);
        const awaited = patienceMs ? running.filter(timer => patienceMs(timer) > 0) : running;
        if (awaited.length === 0) return;
        if (patienceMs)
          await firstWithin(
            Math.min(...awaited.map(patienceMs)),
            awaited.map(timer => timer.done),
          );
        else await new Promise<void>(resolve => waits.push(resolve));
      }
    },
    running: (): TimerRow[] => [...owners.values()].flatMap(({ running }) => running.map(({ row }) => row)),
    /** Calls `listener` for every timer that starts. The returned function ends that. */
    onRun(listener: (row: TimerRow) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(all: TimerHandlers): void {
      handlers = all;
      for (const owner of timerRows.owners(db)) wake(owner);
    },
    /** Starts no more timers. Resolves when the running ones have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all([...owners.values()].flatMap(({ running }) => running.map(({ done }) => done)));
      loop.stop();
    },
  };
}

/** The order of the others may change. */
function remove(timers: RunningTimer[], timer: RunningTimer): void {
  const last = timers.pop()!;
  if (last !== timer) timers[timers.indexOf(timer)] = last;
}

const isOfHandler = (error: unknown): boolean => !(error instanceof CommitRefused) && !storageTrouble(error);
