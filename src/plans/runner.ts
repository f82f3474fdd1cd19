import type { ModuleReport, RunProblem, RunReport, RunRequest, RunSummary } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { type Tx, write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { pause, pauseAwake } from '../timers/loop.ts';
import { isNamed, moduleOf, modulesOf } from './catalogue.ts';
import { readOnce } from './evidence.ts';
import { inLanes } from './lanes.ts';
import { resultOf, worst } from './outcome.ts';
import { blank, plannedModules, type ReportContext, reportOf, summaryOf, versionOf } from './report-of.ts';
import { endArrangements, judgeLate, type KeptMemo, type Running, runModule } from './run-module.ts';
import { skipWhenSilent } from './silence.ts';
import { Unplayable } from './stop.ts';
import { type RunRow, runStore } from './store.ts';
import type { RunWorld } from './world.ts';

/** The conformance runs of all VASPs. One VASP has one run at a time, because a run moves its clock. */
export interface PlanRunner {
  /** Answers the id at once. Throws `Refusal` invalid-field. */
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

export interface RunnerDeps {
  db: Db;
  box: SecretBox;
  /** Time of the machine, epoch ms. */
  now(): number;
  /** Time on the clock of the VASP. */
  nowOf(vaspId: string): number;
  uuid(): string;
  fraction(): number;
  /** `isResumed`: the VASP may start again at the same time. */
  worldOf(run: RunRow, signal: AbortSignal, isResumed: boolean): Promise<RunWorld>;
  context(): ReportContext;
  onError(error: unknown): void;
}

/** Bad conduct may come a little later than its module. Real time in which the sandbox does not stand still. */
const LATE_AFTER_MS = 3_000;
const STOPPED = 'stopped';

export function createRunner(deps: RunnerDeps): PlanRunner {
  const { db } = deps;
  const store = runStore(db, deps.box);
  const active = new Map<string, { stop: AbortController; done: Promise<void> }>();

  const rowOf = (id: string, caller: CallerId): RunRow => {
    const run = store.find(id, caller);
    if (!run) throw refusals.notFound(`Run(${id.slice(0, 64)})`);
    return run;
  };
  const announce = (tx: Tx, { id, vaspId }: RunRow, event: string, cause: string, detail: object) =>
    record(tx, {
      machine: 'run',
      rowKey: id,
      verificationUuid: null,
      vaspId,
      from: null,
      event,
      to: null,
      at: deps.nowOf(vaspId),
      cause,
      detail: { runId: id, ...detail },
    });

  function launch(run: RunRow, isResumed = false): void {
    const stop = new AbortController();
    const done = play(run, stop.signal, isResumed).catch(error => {
      if (stop.signal.aborted) return;
      if (error instanceof Unplayable) return endWith(run, error.problem);
      deps.onError(error);
      endWith(run, { of: 'SANDBOX', message: `The run could not go on: ${(error as Error).message}` });
    });
    active.set(run.id, { stop, done: done.then(() => void active.delete(run.id)) });
  }

  async function play(run: RunRow, signal: AbortSignal, isResumed: boolean): Promise<void> {
    const world = await deps.worldOf(run, signal, isResumed);
    try {
      await playIn(world, run);
    } finally {
      await world.close();
    }
  }

  async function playIn(world: RunWorld, run: RunRow): Promise<void> {
    const rows = store.modulesOf(run.id);
    const memos = rows.map(({ memo }) => memo as KeptMemo | null);
    const runningOf = (position: number, inWorld = world): Running | undefined => {
      const { report } = rows[position]!;
      const module = moduleOf(report.id);
      const onChange = () => save(run, position, report, memos[position] ?? null);
      return module && { world: inWorld, module, report, position, onChange };
    };
    const open = rows
      .filter(({ report }) => report.status !== 'FINISHED')
      .flatMap(({ position }) => runningOf(position) ?? []);
    const remembered: { endedAt: number; lateAfterMs: number }[] = [];
    const reports = rows.map(({ report }) => report);
    await inLanes(open, laneOf, async running => {
      if (skipWhenSilent(running, reports)) return running.onChange();
      if (running.report.status !== 'CREATED') await beginAgain(running);
      const kept = await runModule(running);
      memos[running.position] = kept;
      const { late, lateAfterMs = LATE_AFTER_MS } = running.module;
      if (late && kept.memo !== null) remembered.push({ endedAt: elapsedMs(), lateAfterMs });
      running.onChange();
    });
    for (const { endedAt, lateAfterMs } of remembered) await pauseAwake(endedAt, lateAfterMs, world.signal);
    await world.api.advance('0s');
    const since = Math.min(...memos.flatMap(memo => memo?.since ?? []));
    const lateWorld = { ...world, exchanges: readOnce(world.exchanges, run.vaspId, since) };
    for (const { position, report } of rows) {
      const running = runningOf(position, lateWorld);
      const memo = memos[position];
      if (!running?.module.late || !memo) continue;
      const before = JSON.stringify([report.result, report.conditions]);
      await judgeLate(running, memo);
      if (JSON.stringify([report.result, report.conditions]) !== before) running.onChange();
    }
    end(run, false);
  }

  function save(run: RunRow, position: number, report: ModuleReport, memo: KeptMemo | null): void {
    write(db, tx => {
      store.save(tx, run.id, position, report, memo);
      const { id, symbol, status, result, waiting } = report;
      const name = symbol ? `${id} ${symbol}` : id;
      announce(
        tx,
        run,
        status.toLowerCase(),
        result ? `${name}: ${result}` : (waiting?.instruction ?? name),
        {
          module: id,
          ...(symbol ? { symbol } : {}),
          status,
          result,
        },
      );
    });
  }

  /** Modules that have not ended, or whose last judgement is missing, end here. */
  function endModules(run: RunRow, ended: (report: ModuleReport) => ModuleReport): void {
    write(db, tx => {
      for (const { position, report, memo } of store.modulesOf(run.id))
        if (report.status !== 'FINISHED' || report.result === null)
          store.save(tx, run.id, position, ended(report), memo);
    });
  }

  function abandon(run: RunRow): void {
    endModules(run, report => interrupted(report, 'The run was stopped.'));
    end(run, true);
  }

  /** A run that has judged something before a restart is not green without the rest. */
  function endWith(run: RunRow, problem: RunProblem): void {
    const hasBegun = store
      .modulesOf(run.id)
      .some(({ report }) => report.starts || report.durationMs !== null);
    const isInterrupted = hasBegun && problem.of !== 'SANDBOX';
    endModules(run, report =>
      isInterrupted ? interrupted(report, problem.message) : unplayed(report, problem),
    );
    end({ ...run, problem }, isInterrupted);
  }

  function end(run: RunRow, isStopped: boolean): void {
    write(db, tx => {
      store.end(tx, run, deps.now(), isStopped);
      announce(tx, run, isStopped ? STOPPED : 'ended', `plan ${run.plan}`, {});
      store.prune(tx, run.vaspId);
    });
  }

  const load = (run: RunRow): RunReport => reportOf(run, store.modulesOf(run.id), deps.context());

  return {
    start(request, caller) {
      const other = store.of(caller).find(({ endedAt }) => endedAt === null);
      if (other) throw refusals.runUnderWay(other.id);
      const ids = modulesOf(request.plan, request.planVersion).map(({ id }) => id);
      const unknown = request.modules?.find(name => !ids.some(id => isNamed(id, [name])));
      if (unknown !== undefined)
        throw refusals.invalidField(
          'modules',
          `should name modules of this plan. ${unknown.slice(0, 64)} is none of ${ids.join(', ')}`,
        );
      const modules = plannedModules(request);
      const run: RunRow = {
        id: deps.uuid(),
        vaspId: caller,
        plan: request.plan,
        settings: request,
        digits: nextDigits(store.of(caller)[0]?.digits, deps.fraction),
        startedAt: deps.now(),
        endedAt: null,
        isStopped: false,
        problem: null,
      };
      write(db, tx => {
        store.insert(tx, run, modules);
        announce(tx, run, 'started', `plan ${run.plan}`, { modules: modules.length });
      });
      launch(run);
      return run.id;
    },
    list: caller => store.of(caller).map(run => summaryOf(load(run))),
    report: (id, caller) => load(rowOf(id, caller)),
    async stopRun(id, caller) {
      const run = rowOf(id, caller);
      if (run.endedAt !== null) return;
      const running = active.get(id);
      running?.stop.abort(new Error('the run was stopped'));
      await running?.done;
      if (store.find(id, caller)?.endedAt === null) abandon(run);
    },
    resume() {
      for (const run of store.unfinished()) launch(run, true);
    },
    removeOf(tx, vaspId) {
      for (const { id } of store.of(vaspId)) active.get(id)?.stop.abort(new Error('the VASP was reset'));
      store.prune(tx, vaspId, 0);
    },
    *removeOld(vaspId, endedAt) {
      for (const id of store.endedBy(vaspId, endedAt)) {
        write(db, tx => store.remove(tx, [id]));
        yield;
      }
    },
    async close() {
      const all = [...active.values()];
      for (const { stop } of all) stop.abort(new Error('the program stops'));
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

/** Modules without a symbol use the first one. */
const laneOf = ({ world: { isSideBySide, settings }, report }: Running): string =>
  isSideBySide ? (report.symbol ?? settings.symbols?.[0] ?? 'ETH') : 'all';

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

/** A module that the end of the process interrupted starts again, with other amounts, when the VASP has ended its old acts. */
async function beginAgain({ module, report, world }: Running): Promise<void> {
  await endArrangements(world, report);
  Object.assign(report, {
    starts: (report.starts ?? 1) + 1,
    note: 'The process ended in the middle of this module. It was started again.',
    conditions: blank(module, versionOf(world.settings)),
    exchanges: [],
    waiting: null,
  });
  await world.api.advance('0s');
  await pause(world.waitMs, world.signal);
}

/** 10 to 99, after those of the last run: the amounts of the last 89 runs differ. The first run begins anywhere. */
const nextDigits = (last: number | undefined, fraction: () => number): number =>
  10 + (last === undefined ? Math.floor(fraction() * 90) : (last - 9) % 90);
