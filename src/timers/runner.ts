import { isClosing } from '../db/closing.ts';
import type { Db } from '../db/open.ts';
import { afterCommit, CommitRefused, groupCommit, type Tx } from '../db/transaction.ts';
import { elapsedMs, firstWithin } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { ProgramStops } from '../kernel/program.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { createLoop, type Loop, pause } from './loop.ts';
import type { Outcome, TimerHandler, TimerHandlers, TimerKind } from './registry.ts';
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

interface State extends RunnerDeps {
  owners: Map<string, OwnTimers>;
  awake: Set<string>;
  /** Those who wait for their turn. */
  asked: Set<string>;
  listeners: Set<(row: TimerRow) => void>;
  handlers: TimerHandlers | undefined;
  isStopping: () => boolean;
  loop: Loop;
}

/** Runs due timers, by itself and on request. */
export type Runner = ReturnType<typeof createRunner>;

export function createRunner(deps: RunnerDeps) {
  let stopping = false;
  const state: State = {
    ...deps,
    owners: new Map(),
    awake: new Set(),
    asked: new Set(),
    listeners: new Set(),
    handlers: undefined,
    isStopping: () => stopping,
    loop: createLoop(timeIsUp => takeTurn(state, timeIsUp)),
  };
  return {
    /** Runs the owner's due timers as soon as its clock reaches `dueAt`. */
    wakeAt: (owner: string, dueAt: number) => wakeAt(state, owner, dueAt),
    /**
     * Runs all timers that are due for the owner, also those that become due meanwhile, until none is left. Waits for
     * each running timer at most `patienceMs`, by default until it ends. Rejects while the program stops.
     */
    runDue: (owner: string, patienceMs?: Patience) => runDue(state, owner, patienceMs),
    running: (): TimerRow[] => [...state.owners.values()].flatMap(({ running }) => running.map(({ row }) => row)),
    /** Calls `listener` for every timer that starts. The returned function ends that. */
    onRun(listener: (row: TimerRow) => void): () => void {
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },
    start(handlers: TimerHandlers): void {
      state.handlers = handlers;
      for (const owner of timerRows.owners(deps.db)) wake(state, owner);
    },
    /** Starts no more timers. Resolves when the running ones have ended. */
    async stop(): Promise<void> {
      stopping = true;
      await Promise.all([...state.owners.values()].flatMap(({ running }) => running.map(({ done }) => done)));
      state.loop.stop();
    },
  };
}

function wakeAt(state: State, owner: string, dueAt: number): void {
  const own = ownTimers(state, owner);
  own.quietUntil = Math.min(own.quietUntil, dueAt);
  const inMs = dueAt - state.clock.now(owner);
  if (inMs <= 0) wake(state, owner);
  else state.loop.within(inMs);
}

function wake({ awake, loop }: State, owner: string): void {
  awake.add(owner);
  loop.soon();
}

function takeTurn(state: State, timeIsUp: boolean): void {
  if (!state.handlers || state.isStopping()) return;
  const owners = new Set(timeIsUp ? [...state.owners.keys(), ...state.awake] : state.awake);
  state.awake.clear();
  for (const owner of owners) startInTurn(state, owner);
}

function startInTurn(state: State, owner: string): void {
  const { turnOf, asked } = state;
  if (!turnOf) return startOrWait(state, owner);
  if (asked.has(owner)) return;
  asked.add(owner);
  void turnOf(owner).then(() => {
    asked.delete(owner);
    if (!state.isStopping()) startOrWait(state, owner);
  });
}

/** In storage trouble the due timers wait. */
function startOrWait(state: State, owner: string): void {
  try {
    startDue(state, owner);
  } catch (error) {
    if (!storageTrouble(error)) throw error;
    state.log.error({ err: String(error) }, 'the database does not tell which timers are due, will be tried again');
    ownTimers(state, owner).quietUntil = Number.NEGATIVE_INFINITY;
    state.loop.within(AGAIN_MS);
  }
}

function ownTimers({ owners }: State, owner: string): OwnTimers {
  const own = owners.get(owner) ?? { running: [], waits: [], quietUntil: Number.NEGATIVE_INFINITY };
  owners.set(owner, own);
  return own;
}

/** While the time is advanced, timers start together, so that together they commit. */
const STARTED_AGAIN_AT = 8;

function startDue(state: State, owner: string): void {
  const { db, clock, loop, maxOf = () => Number.POSITIVE_INFINITY } = state;
  const own = ownTimers(state, owner);
  if (own.waits.length > 0 && own.running.length > STARTED_AGAIN_AT) return;
  const now = clock.now(owner);
  let next = own.quietUntil;
  if (now >= next) {
    const due = pickDue(db, owner, now, own.running, maxOf);
    next = due.next;
    own.quietUntil = due.isAll ? next : Number.NEGATIVE_INFINITY;
    for (const row of due.picked) run(state, own, row);
  }
  if (Number.isFinite(next)) loop.within(next - clock.now(owner));
  else if (own.running.length === 0) state.owners.delete(owner);
}

function run(state: State, own: OwnTimers, row: TimerRow): void {
  for (const listener of state.listeners) listener(row);
  const start = runStart(state.db, row, state.clock.now(row.owner));
  const committed = callHandler(state, row).then(result => commitResult(state, row, start, result));
  const timer: RunningTimer = {
    row,
    queue: timerRows.queueOf(row),
    kind: row.kind,
    startedAt: elapsedMs(),
    done: committed.then(() => {
      remove(own.running, timer);
      wake(state, row.owner);
      if (own.running.length === 0) for (const resolve of own.waits.splice(0)) resolve();
    }),
  };
  own.running.push(timer);
}

async function callHandler({ handlers }: State, row: TimerRow): Promise<RunResult> {
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

type Patience = (timer: RunningTimer) => number;

async function runDue(state: State, owner: string, patienceMs?: Patience): Promise<void> {
  for (;;) {
    if (state.isStopping()) throw new ProgramStops('timers start no more');
    startDue(state, owner);
    const { running, waits } = ownTimers(state, owner);
    const awaited = patienceMs ? running.filter(timer => patienceMs(timer) > 0) : running;
    if (awaited.length === 0) return;
    if (patienceMs)
      await firstWithin(
        Math.min(...awaited.map(patienceMs)),
        awaited.map(timer => timer.done),
      );
    else await new Promise<void>(resolve => waits.push(resolve));
  }
}

/** The order of the others may change. */
function remove(timers: RunningTimer[], timer: RunningTimer): void {
  const last = timers.pop()!;
  if (last !== timer) timers[timers.indexOf(timer)] = last;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
const AGAIN_MS = 100;

type RunResult = { outcome: Outcome<unknown> } | { error: unknown };

/** Commits an outcome, or schedules a retry after an error. Waits while the database refuses to commit. */
async function commitResult(state: State, row: TimerRow, start: RunStart, result: RunResult): Promise<void> {
  const { db, log } = state;
  for (let current = result; ; ) {
    try {
      return await groupCommit(db, tx => {
        if (isClosing(tx, row.owner)) return void timerRows.finish(tx, row);
        if ('error' in current) retryLater(state, tx, row, start, current.error);
        else commitOutcome(state, tx, row, start, current.outcome);
      });
    } catch (error) {
      if (isOfHandler(error) && !('error' in current)) {
        current = { error };
        continue;
      }
      // The result is dropped, as after a kill.
      if (state.isStopping()) return;
      log.error({ err: String(error) }, 'the database refuses to commit, will be tried again');
      await pause(AGAIN_MS);
    }
  }
}

const isOfHandler = (error: unknown): boolean => !(error instanceof CommitRefused) && !storageTrouble(error);

function commitOutcome(state: State, tx: Tx, row: TimerRow, start: RunStart, outcome: Outcome<unknown>): void {
  const { againAt, why = row.why } = outcome;
  const payload = outcome.payload ?? row.payload;
  const next = againAt === undefined ? undefined : { dueAt: againAt, why };
  const to = next && { attempts: row.attempts + 1, lastError: null, payload, ...next };
  if (endRun(state, tx, row, to)) recordFired(tx, row, start, next);
  outcome.apply?.(tx);
}

/** False: the timer was scheduled again or removed meanwhile. */
function endRun(state: State, tx: Tx, row: TimerRow, to?: Parameters<typeof timerRows.move>[2]): boolean {
  const isCurrent = to ? timerRows.move(tx, row, to) : timerRows.finish(tx, row);
  const dueAt = isCurrent ? to?.dueAt : row.dueAt;
  if (dueAt !== undefined) afterCommit(tx, () => wakeAt(state, row.owner, dueAt));
  return isCurrent;
}

function retryLater(state: State, tx: Tx, row: TimerRow, { at }: RunStart, error: unknown): void {
  const { clock, log } = state;
  // Storage trouble is no failure of the timer: the first delay stays.
  const attempts = row.attempts + (storageTrouble(error) ? 0 : 1);
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 20), LONGEST_RETRY_MS);
  const lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  log.warn({ kind: row.kind, key: row.key, attempts, err: lastError }, 'timer failed, will be tried again');
  const dueAt = clock.now(row.owner) + delayMs;
  if (endRun(state, tx, row, { dueAt, attempts, lastError })) recordFailed(tx, row, at, { lastError, dueAt });
}
