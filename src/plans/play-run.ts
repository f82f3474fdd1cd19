import type { ModuleReport, RunProblem } from '../contract/plans.ts';
import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { type Tx, write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { pause, pauseAwake } from '../timers/loop.ts';
import { moduleOf } from './catalogue.ts';
import { readOnce } from './evidence.ts';
import { learnNetworks } from './learn-networks.ts';
import { hasFailed, resultOf, worst } from './outcome.ts';
import { blank, type ReportContext, versionOf } from './report-of.ts';
import { endArrangements, judgeLate, type KeptMemo, type Running, runModule } from './run-module.ts';
import { skipWhenSilent } from './silence.ts';
import type { ModuleRow, RunRow } from './store.ts';
import * as stored from './store.ts';
import type { RunWorld } from './world.ts';

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
/** A second credit, or the end of one, may come later still. Real time after the first credit of the run. */
const CREDITS_WATCHED_MS = 8_000;
const CREDITS_EVERY_MS = 500;
const STOPPED = 'stopped';

/** Plays a run to its end. The reports of `rows` are changed in place, and stored. Throws when it cannot go on. */
export async function playRun(
  deps: RunnerDeps,
  run: RunRow,
  rows: readonly ModuleRow[],
  signal: AbortSignal,
  isResumed: boolean,
): Promise<void> {
  const world = await deps.worldOf(run, signal, isResumed);
  try {
    await playIn(deps, world, run, rows);
  } finally {
    await world.close();
  }
}

async function playIn(
  deps: RunnerDeps,
  world: RunWorld,
  run: RunRow,
  rows: readonly ModuleRow[],
): Promise<void> {
  const memos = rows.map(({ memo }) => memo as KeptMemo | null);
  const runningOf = (position: number, inWorld = world): Running | undefined => {
    const { report } = rows[position]!;
    const module = moduleOf(report.id);
    const onChange = () => save(deps, run, position, report, memos[position] ?? null);
    return module && { world: inWorld, module, report, position, onChange };
  };
  const open = rows
    .filter(({ report }) => report.status !== 'FINISHED')
    .flatMap(({ position }) => runningOf(position) ?? []);
  if (open.some(({ module }) => module.needs.includes('customer'))) await learnNetworks(world);
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
  const { creditsSince } = world.watch;
  const isDecided = reports.some(({ conditions }) => conditions.some(hasFailed));
  if (creditsSince !== undefined && !isDecided)
    for (let ms = elapsedMs() - creditsSince; ms < CREDITS_WATCHED_MS; ms += CREDITS_EVERY_MS) {
      await pauseAwake(creditsSince, ms, world.signal);
      for (const { readAgain } of world.ledgers.values()) await readAgain();
    }
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
  for (const { readAgain } of world.ledgers.values()) await readAgain();
  end(deps, run, false);
}

function save(
  deps: RunnerDeps,
  run: RunRow,
  position: number,
  report: ModuleReport,
  memo: KeptMemo | null,
): void {
  write(deps.db, tx => {
    stored.save(tx, run.id, position, report, memo);
    const { id: module, symbol, status, result, waiting } = report;
    const name = symbol ? `${module} ${symbol}` : module;
    const text = result ? `${name}: ${result}` : (waiting?.instruction ?? name);
    announce(deps, tx, run, status.toLowerCase(), text, {
      module,
      ...(symbol && { symbol }),
      status,
      result,
    });
  });
}

/** Modules that have not ended, or whose last judgement is missing, end here. */
function endModules({ db }: RunnerDeps, run: RunRow, ended: (report: ModuleReport) => ModuleReport): void {
  write(db, tx => {
    for (const { position, report, memo } of stored.modulesOf(db, run.id))
      if (report.status !== 'FINISHED' || report.result === null)
        stored.save(tx, run.id, position, ended(report), memo);
  });
}

export function abandonRun(deps: RunnerDeps, run: RunRow): void {
  endModules(deps, run, report => interrupted(report, 'The run was stopped.'));
  end(deps, run, true);
}

/** A run that has judged something before a restart is not green without the rest. */
export function endWith(deps: RunnerDeps, run: RunRow, problem: RunProblem): void {
  const hasBegun = stored
    .modulesOf(deps.db, run.id)
    .some(({ report }) => report.starts || report.durationMs !== null);
  const isInterrupted = hasBegun && problem.of !== 'SANDBOX';
  endModules(deps, run, report =>
    isInterrupted ? interrupted(report, problem.message) : unplayed(report, problem),
  );
  end(deps, { ...run, problem }, isInterrupted);
}

function end(deps: RunnerDeps, run: RunRow, isStopped: boolean): void {
  write(deps.db, tx => {
    stored.end(tx, run, deps.now(), isStopped);
    announce(deps, tx, run, isStopped ? STOPPED : 'ended', `plan ${run.plan}`, {});
    stored.prune(tx, run.vaspId);
  });
}

/** The event of the run. */
export const announce = (
  deps: Pick<RunnerDeps, 'nowOf'>,
  tx: Tx,
  { id, vaspId }: RunRow,
  event: string,
  cause: string,
  detail: object,
) =>
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

/**
 * Runs modules in their order, those of two symbols side by side: their balances and amounts are separate. A module
 * that is alone waits for all before it, and all after it wait for it. Resolves or throws when all have ended.
 */
async function inLanes(
  modules: readonly Running[],
  laneOf: (module: Running) => string,
  run: (module: Running) => Promise<void>,
): Promise<void> {
  let lanes = new Map<string, Running[]>();
  const runTogether = async () => {
    const together = [...lanes.values()];
    lanes = new Map();
    await allEnded(together.map((lane, index) => oneByOne(inTurn(lane, index), run)));
  };
  for (const module of modules) {
    if (module.module.alone) {
      await runTogether();
      await run(module);
    } else lanes.set(laneOf(module), [...(lanes.get(laneOf(module)) ?? []), module]);
  }
  await runTogether();
}

/**
 * What is judged again at the end of the run comes first, so that the time until then passes while the others run. Then
 * one lane waits while the other one works.
 */
function inTurn(lane: readonly Running[], index: number): Running[] {
  const waitsAreFirst = index % 2 === 0;
  const rank = ({ module }: Running) =>
    (module.late ? 0 : 2) + (Boolean(module.mostlyWaits) === waitsAreFirst ? 0 : 1);
  return lane.toSorted((one, other) => rank(one) - rank(other));
}

async function oneByOne(lane: readonly Running[], run: (module: Running) => Promise<void>): Promise<void> {
  for (const module of lane) await run(module);
}

async function allEnded(lanes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
