import type { RunReport, RunRequest, RunSummary } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { Db } from '../db/open.ts';
import { type Tx, write } from '../db/transaction.ts';
import { isNamed, modulesOf } from './catalogue.ts';
import { abandonRun, announce, endWith, playRun, type RunnerDeps } from './play-run.ts';
import { plannedModules, reportOf, summaryOf } from './report-of.ts';
import { Unplayable } from './stop.ts';
import type { ModuleRow, RunRow } from './store.ts';
import * as stored from './store.ts';

/** The conformance runs of all VASPs. One VASP has one run at a time, because a run moves its clock. */
export interface PlanRunner {
  /** Returns the id at once. Throws `Refusal` invalid-field. */
  start(request: RunRequest, caller: CallerId): string;
  list(caller: CallerId): RunSummary[];
  /** Throws `Refusal` not-found. */
  report(id: string, caller: CallerId): RunReport;
  /** Ends a run after the step that is under way, or deletes nothing when it has ended. Throws `Refusal` not-found. */
  stopRun(id: string, caller: CallerId): Promise<void>;
  /** Goes on with the runs that the end of the process has interrupted. */
  resume(): void;
  removeOf(tx: Tx, vaspId: string): void;
  /** Removes the runs of a VASP that ended at a time or before. Yields after each. */
  removeOld(vaspId: string, endedAt: number): Generator<void>;
  close(): Promise<void>;
}

interface Active {
  rows: readonly ModuleRow[];
  stop: AbortController;
  done: Promise<void>;
}

export function createRunner(deps: RunnerDeps): PlanRunner {
  const { db, box } = deps;
  const active = new Map<string, Active>();

  const rowOf = (id: string, caller: CallerId): RunRow => {
    const run = stored.find(db, box, id, caller);
    if (!run) throw refusals.notFound(`Run(${id.slice(0, 64)})`);
    return run;
  };

  function launch(run: RunRow, isResumed = false): void {
    const stop = new AbortController();
    const rows = stored.modulesOf(db, run.id);
    const done = playRun(deps, run, rows, stop.signal, isResumed).catch(error => {
      if (stop.signal.aborted) return;
      if (error instanceof Unplayable) return endWith(deps, run, error.problem);
      deps.onError(error);
      endWith(deps, run, { of: 'SANDBOX', message: `The run could not go on: ${(error as Error).message}` });
    });
    active.set(run.id, { rows, stop, done: done.then(() => void active.delete(run.id)) });
  }

  const load = (run: RunRow): RunReport =>
    reportOf(run, active.get(run.id)?.rows ?? stored.modulesOf(db, run.id), deps.context());

  return {
    start(request, caller) {
      const run = openRun(deps, request, caller);
      launch(run);
      return run.id;
    },
    list: caller => stored.ofVasp(db, box, caller).map(run => summaryOf(load(run))),
    report: (id, caller) => load(rowOf(id, caller)),
    async stopRun(id, caller) {
      const run = rowOf(id, caller);
      if (run.endedAt !== null) return;
      const running = active.get(id);
      running?.stop.abort(new Error('the run was stopped'));
      await running?.done;
      if (stored.find(db, box, id, caller)?.endedAt === null) abandonRun(deps, run);
    },
    resume() {
      for (const run of stored.unfinished(db, box)) launch(run, true);
    },
    removeOf(tx, vaspId) {
      for (const { id } of stored.ofVasp(db, box, vaspId))
        active.get(id)?.stop.abort(new Error('the VASP was reset'));
      stored.prune(tx, vaspId, 0);
    },
    removeOld: (vaspId, endedAt) => removeOld(db, vaspId, endedAt),
    async close() {
      const all = [...active.values()];
      for (const { stop } of all) stop.abort(new Error('the program stops'));
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

function* removeOld(db: Db, vaspId: string, endedAt: number): Generator<void> {
  for (const id of stored.endedBy(db, vaspId, endedAt)) {
    write(db, tx => stored.remove(tx, [id]));
    yield;
  }
}

/** Throws `Refusal` run-under-way, invalid-field. */
function openRun(deps: RunnerDeps, request: RunRequest, caller: CallerId): RunRow {
  const { db, box } = deps;
  const earlier = stored.ofVasp(db, box, caller);
  const other = earlier.find(({ endedAt }) => endedAt === null);
  if (other) throw refusals.runUnderWay(other.id);
  requireModules(request);
  const modules = plannedModules(request);
  const run: RunRow = {
    id: deps.uuid(),
    vaspId: caller,
    plan: request.plan,
    settings: request,
    digits: nextDigits(earlier[0]?.digits, deps.fraction),
    startedAt: deps.now(),
    endedAt: null,
    isStopped: false,
    problem: null,
  };
  write(db, tx => {
    stored.insert(tx, box, run, modules);
    announce(deps, tx, run, 'started', `plan ${run.plan}`, { modules: modules.length });
  });
  return run;
}

function requireModules({ plan, planVersion, modules }: RunRequest): void {
  const ids = modulesOf(plan, planVersion).map(({ id }) => id);
  const unknown = modules?.find(name => !ids.some(id => isNamed(id, [name])));
  if (unknown !== undefined)
    throw refusals.invalidField(
      'modules',
      `should name modules of this plan. ${unknown.slice(0, 64)} is none of ${ids.join(', ')}`,
    );
}

/** 10 to 99, after those of the last run: the amounts of the last 89 runs differ. The first run begins anywhere. */
const nextDigits = (last: number | undefined, fraction: () => number): number =>
  10 + (last === undefined ? Math.floor(fraction() * 90) : (last - 9) % 90);
