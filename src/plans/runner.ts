import { once } from 'node:events';
import type { ModuleReport, RunProblem, RunReport, RunRequest, RunSummary } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { afterCommit, type Tx, troubleOf, write } from '../db/transaction.ts';
import { firstWithin } from '../kernel/clock.ts';
import { ProgramStops } from '../kernel/program.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { pause } from '../timers/loop.ts';
import { requireModules } from './catalogue.ts';
import { resultOf, worst } from './outcome.ts';
import { announce, playRun, type RunnerDeps } from './play-run.ts';
import { plannedModules, reportOf, summaryOf } from './report-of.ts';
import { RunStopped, Unplayable } from './stop.ts';
import type { ModuleRow, RunRow } from './store.ts';
import * as stored from './store.ts';

interface Player {
  run: RunRow;
  rows: readonly ModuleRow[];
  stop(reason: Error): void;
  /** Resolves when the run has its end, or is left to the next start. */
  done: Promise<void>;
}

/** In storage trouble the answer to a stop waits no longer. */
const STORED_WITHIN_MS = 2_000;

export type PlanRunner = ReturnType<typeof createRunner>;

/** The test runs of all VASPs. One VASP has one run at a time, because a run moves its clock. */
export function createRunner(deps: RunnerDeps) {
  const { db, box } = deps;
  const players = new Map<string, Player>();
  let isLeaving = false;

  const rowOf = (id: string, caller: CallerId): RunRow => {
    const run = stored.find(db, box, id, caller);
    if (!run) throw refusals.notFound('Run', id, '/sandbox/v1/runs');
    return run;
  };

  function launch(run: RunRow, rows: readonly ModuleRow[], isResumed = false): Player {
    const stop = new AbortController();
    const end = (ending: Ending, problem?: Unplayable['problem']) =>
      endRun(deps, { run, rows, isLeaving: () => isLeaving }, ending, problem);
    const done = playRun(deps, run, rows, stop.signal, isResumed)
      .then(
        () => end('played'),
        error => (stop.signal.aborted ? end('stopped') : end('problem', problemOf(deps, error))),
      )
      .then(() => void players.delete(run.id));
    const player = { run, rows, stop: (reason: Error) => stop.abort(reason), done };
    players.set(run.id, player);
    return player;
  }

  /** A run that nobody plays yet is one that the start of the program finds. */
  async function stopPlaying(run: RunRow): Promise<void> {
    if (run.endedAt !== null) return;
    const player = players.get(run.id) ?? launch(run, stored.modulesOf(db, run.id), true);
    player.stop(new RunStopped());
    while (players.has(run.id)) {
      await firstWithin(STORED_WITHIN_MS, [player.done]);
      const trouble = troubleOf(db);
      if (trouble && players.has(run.id)) throw trouble.error;
    }
    if (stored.isOpen(db, run.id)) throw new ProgramStops('the next start plays the run on');
  }

  const load = (run: RunRow): RunReport =>
    reportOf(run, players.get(run.id)?.rows ?? stored.modulesOf(db, run.id), run.judgedBy ?? deps.judgedBy(run.vaspId));

  return {
    /** Returns the id at once. Throws `Refusal` invalid-field. */
    start(request: RunRequest, caller: CallerId): string {
      const { run, rows } = openRun(deps, request, caller);
      launch(run, rows);
      return run.id;
    },
    /** Newest first. */
    list: (caller: CallerId, limit?: number): RunSummary[] =>
      stored
        .ofVasp(db, box, caller)
        .slice(0, limit)
        .map(run => run.summary ?? summaryOf(load(run))),
    /** Throws `Refusal` not-found. */
    report: (id: string, caller: CallerId): RunReport => load(rowOf(id, caller)),
    /** Resolves when the run has ended, or when the signal aborts. Throws `Refusal` not-found. */
    async ended(id: string, caller: CallerId, until: AbortSignal): Promise<void> {
      const player = players.get(rowOf(id, caller).id);
      if (player && !until.aborted) await Promise.race([player.done, once(until, 'abort')]);
    },
    /**
     * Ends a run after the step that is under way; one that has ended stays as it is. In storage trouble the run ends later.
     * Throws `Refusal` not-found, `StorageUnavailable`, `ProgramStops`.
     */
    stopRun: async (id: string, caller: CallerId): Promise<void> => stopPlaying(rowOf(id, caller)),
    /** The same for the run of a VASP. */
    async stopOf(vaspId: string): Promise<void> {
      for (const run of stored.ofVasp(db, box, vaspId)) await stopPlaying(run);
    },
    /** Goes on with the runs that the end of the process has interrupted. `mayRun`: otherwise they end. */
    resume(mayRun: (vaspId: string) => boolean): void {
      for (const run of stored.unfinished(db, box)) {
        if (players.has(run.id)) continue;
        const player = launch(run, stored.modulesOf(db, run.id), true);
        if (!mayRun(run.vaspId)) player.stop(new RunStopped());
      }
    },
    removeOf(tx: Tx, vaspId: string): void {
      stored.prune(tx, vaspId, 0);
      afterCommit(tx, () => {
        for (const { run, stop } of players.values()) if (run.vaspId === vaspId) stop(new RunStopped());
      });
    },
    /** Removes the runs of a VASP that ended at a time or before. Yields after each. */
    *removeOld(vaspId: string, endedAt: number): Generator<void> {
      for (const id of stored.endedBy(db, vaspId, endedAt)) {
        write(db, tx => stored.remove(tx, [id]));
        yield;
      }
    },
    async close(): Promise<void> {
      isLeaving = true;
      for (const { stop } of players.values()) stop(new ProgramStops('the program stops'));
      await Promise.all([...players.values()].map(({ done }) => done));
    },
  };
}

/** Why a run cannot go on. */
function problemOf({ onError }: RunnerDeps, error: unknown): Unplayable['problem'] {
  if (error instanceof Unplayable) return error.problem;
  onError(error);
  return { of: 'SANDBOX', message: `The run could not go on: ${(error as Error).message}` };
}

/** Throws `Refusal` run-under-way, invalid-field. */
function openRun(deps: RunnerDeps, request: RunRequest, caller: CallerId) {
  const { db, box } = deps;
  requireModules('modules', request.modules ?? [], request.plan);
  return write(db, tx => {
    const earlier = stored.ofVasp(tx, box, caller);
    const other = earlier.find(({ endedAt }) => endedAt === null);
    if (other) throw refusals.runUnderWay(other.id);
    const run = newRun(deps, request, caller, earlier[0]?.digits);
    stored.insert(tx, box, run, plannedModules(request));
    const rows = stored.modulesOf(tx, run.id);
    announce(deps, tx, run, 'started', `plan ${run.plan}`, { modules: rows.length });
    return { run, rows };
  });
}

const newRun = (
  { uuid, fraction, now }: RunnerDeps,
  settings: RunRequest,
  vaspId: string,
  lastDigits: number | undefined,
): RunRow => ({
  id: uuid(),
  vaspId,
  plan: settings.plan,
  settings,
  digits: nextDigits(lastDigits, fraction),
  startedAt: now(),
  endedAt: null,
  isStopped: false,
  problem: null,
  judgedBy: null,
  summary: null,
});

/** 10 to 99, after those of the last run: the amounts of the last 89 runs differ. The first run begins anywhere. */
const nextDigits = (last: number | undefined, fraction: () => number): number =>
  10 + (last === undefined ? Math.floor(fraction() * 90) : (last - 9) % 90);

/**
 * A run without an end (`endedAt`) has one player in this process, and only its player ends it. Others ask the player to
 * stop, or delete the row: then nothing more is written about the run. When the program stops, players leave their runs
 * without an end, and the next start plays them on. Storage trouble delays the end.
 */
export type Ending = 'played' | 'stopped' | 'problem';

interface Played {
  run: RunRow;
  rows: readonly ModuleRow[];
  /** True: the program stops, so the next start ends the run. */
  isLeaving(): boolean;
}

const AGAIN_MS = 100;

/** Writes the end, and what was not written before. `problem`: why the run could not go on. Never rejects. */
export async function endRun(
  deps: RunnerDeps,
  { run, rows, isLeaving }: Played,
  ending: Ending,
  problem?: RunProblem,
): Promise<void> {
  const { isStopped, ended } = endOf(ending, rows, problem);
  const reports = rows.map(row => ({ ...row, report: ended(row.report) }));
  for (let isLogged = false; !isLeaving(); await pause(AGAIN_MS))
    try {
      return write(deps.db, tx => end(deps, tx, { ...run, problem: problem ?? null }, reports, isStopped));
    } catch (error) {
      if (!(isLogged || storageTrouble(error))) deps.onError(error);
      isLogged = true;
    }
}

function end(deps: RunnerDeps, tx: Tx, run: RunRow, rows: readonly ModuleRow[], isStopped: boolean): void {
  if (!stored.isOpen(tx, run.id)) return;
  for (const { position, report, memo } of rows) stored.save(tx, run.id, position, report, memo);
  const judgedBy = deps.judgedBy(run.vaspId);
  const ended = { ...run, endedAt: deps.now(), isStopped, judgedBy };
  stored.end(tx, deps.box, { ...ended, summary: summaryOf(reportOf(ended, rows, judgedBy)) });
  announce(deps, tx, run, isStopped ? 'stopped' : 'ended', `plan ${run.plan}`, {});
  stored.prune(tx, run.vaspId);
}

/** Modules that have not ended, or whose last judgement is missing, end here. */
function endOf(ending: Ending, rows: readonly ModuleRow[], problem: RunProblem | undefined) {
  // A run that has judged something before a restart is not green without the rest.
  const hasBegun = rows.some(({ report }) => report.starts || report.durationMs !== null);
  const isStopped = ending === 'stopped' || (problem !== undefined && hasBegun && problem.of !== 'SANDBOX');
  const because = problem?.message ?? 'The run was stopped.';
  const endModule = (report: ModuleReport) =>
    isStopped || !problem ? interrupted(report, because) : unplayed(report, problem);
  return {
    isStopped,
    ended: (report: ModuleReport) =>
      ending !== 'played' && (report.status !== 'FINISHED' || report.result === null) ? endModule(report) : report,
  };
}

const interrupted = (report: ModuleReport, skippedBecause: string): ModuleReport => ({
  ...report,
  status: 'INTERRUPTED',
  result: worst([resultOf(report.conditions), 'INTERRUPTED']),
  waiting: null,
  skippedBecause,
});

/** Of a run that a problem has ended. Trouble of the sandbox blames no VASP. */
const unplayed = (report: ModuleReport, { of, message }: RunProblem): ModuleReport => ({
  ...report,
  status: 'FINISHED',
  result: worst([resultOf(report.conditions), ...(of === 'SANDBOX' ? (['ERROR'] as const) : [])]),
  waiting: null,
  skippedBecause: message,
});
