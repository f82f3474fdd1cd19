import type { ModuleReport, RunProblem } from '../contract/plans.ts';
import { type Tx, write } from '../db/transaction.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { pause } from '../timers/loop.ts';
import { resultOf, worst } from './outcome.ts';
import { announce, type RunnerDeps } from './play-run.ts';
import type { ModuleRow, RunRow } from './store.ts';
import * as stored from './store.ts';

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
  stored.end(tx, deps.box, run, deps.now(), isStopped);
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
