import type { ModuleReport } from '../contract/plans.ts';
import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { type Tx, write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { ProgramStops } from '../kernel/program.ts';
import type { SecretBox } from '../kernel/secrets.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { pause, pauseAwake } from '../timers/loop.ts';
import { moduleOf } from './catalogue.ts';
import { readOnce } from './evidence.ts';
import type { PlanModule } from './module.ts';
import { hasFailed } from './outcome.ts';
import { blank, type JudgedBy } from './report-of.ts';
import { endArrangements, judgeLate, type KeptMemo, type Running, runModule, skipWhenSilent } from './run-module.ts';
import { bringHeld, holdBack } from './steps/robot-pays.ts';
import type { ModuleRow, RunRow } from './store.ts';
import * as stored from './store.ts';
import { learnNetworks, moveTimers } from './target.ts';
import { type RunWorld, sharedSymbol } from './world.ts';

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
  /** What the report says of the sandbox now. */
  judgedBy(vaspId: string): JudgedBy;
  onError(error: unknown): void;
}

/** Bad conduct may come a little later than its module. Real time in which the sandbox does not stand still. */
const LATE_AFTER_MS = 3_000;
/** A second credit, or the end of one, may come later still. Real time after the first credit of the run. */
const CREDITS_WATCHED_MS = 8_000;
const CREDITS_EVERY_MS = 500;

/**
 * On the clock of the sandbox: a time-out of five or thirty minutes has ended. D-17: within the hour nothing has, also where
 * a slow VASP needs some minutes for the modules that play then.
 */
const TIMERS_END_MS = 3_000_000;

/** How far the time is moved at the end. What holds nothing back is paid then, so the hour of none of these may end. */
export function timersLeftMs(
  awaiting: readonly { module: Pick<PlanModule, 'holdsBack'>; beganAt: number }[],
  now: number,
): number {
  const began = awaiting.filter(({ module }) => !module.holdsBack).map(({ beganAt }) => beganAt);
  return awaiting.length === 0 ? 0 : TIMERS_END_MS - (now - Math.min(now, ...began));
}

/** Plays the modules of a run. `rows` are changed in place, and stored. Throws when it cannot go on. */
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
    // The next start goes on, and holds it back, too.
    if (!(signal.reason instanceof ProgramStops)) await bringHeld(world).catch(() => {});
    await world.close();
  }
}

async function playIn(deps: RunnerDeps, world: RunWorld, run: RunRow, rows: readonly ModuleRow[]): Promise<void> {
  const memoOf = (position: number) => rows[position]!.memo as KeptMemo | null;
  const runningOf = (position: number, inWorld = world): Running | undefined => {
    const { report } = rows[position]!;
    const module = moduleOf(report.id);
    const onChange = () => save(deps, run, rows[position]!);
    return module && { world: inWorld, module, report, position, onChange };
  };
  const holdOf = ({ position, module }: Running) => {
    const { uuid } = (memoOf(position)?.memo ?? {}) as { uuid?: string };
    if (module.holdsBack && uuid !== undefined) holdBack(world, uuid, module.holdsBack);
  };
  const all = rows.flatMap(({ position }) => runningOf(position) ?? []);
  // Some modules may have ended before a restart of the program.
  for (const each of all) holdOf(each);
  const open = all.filter(({ report }) => report.status !== 'FINISHED');
  if (open.some(({ module }) => module.needs.includes('customer'))) await learnNetworks(world);
  const remembered: { endedAt: number; lateAfterMs: number }[] = [];
  const awaiting: (Running & { beganAt: number })[] = [];
  const reports = rows.map(({ report }) => report);
  const play = async (running: Running) => {
    if (skipWhenSilent(running, reports)) return running.onChange();
    if (running.report.status !== 'CREATED') await beginAgain(running);
    const beganAt = world.sandboxNow();
    const kept = await runModule(running);
    rows[running.position]!.memo = kept;
    holdOf(running);
    const { late, awaitsTimers, lateAfterMs = LATE_AFTER_MS } = running.module;
    if (late && kept.memo !== null) {
      const isMoved = awaitsTimers === true && world.followsSandboxClock;
      remembered.push({ endedAt: elapsedMs(), lateAfterMs: isMoved ? LATE_AFTER_MS : lateAfterMs });
      if (isMoved) awaiting.push({ ...running, beganAt });
    }
    running.onChange();
  };
  const isLast = (running: Running) => world.followsSandboxClock && isFiller(running);
  await inLanes(
    open.filter(each => !isLast(each)),
    play,
  );
  for (const { endedAt, lateAfterMs } of remembered) await pauseAwake(endedAt, lateAfterMs, world.signal);
  const realMs = await moveTimers(world, timersLeftMs(awaiting, world.sandboxNow()));
  const movedAt = elapsedMs();
  await inLanes(open.filter(isLast), play);
  await pauseAwake(movedAt, realMs, world.signal);
  const { creditsSince } = world.watch;
  const isDecided = reports.some(({ conditions }) => conditions.some(hasFailed));
  if (creditsSince !== undefined && !isDecided)
    for (let ms = elapsedMs() - creditsSince; ms < CREDITS_WATCHED_MS; ms += CREDITS_EVERY_MS) {
      await pauseAwake(creditsSince, ms, world.signal);
      for (const { readAgain } of world.ledgers.values()) await readAgain();
    }
  await world.api.advance('0s');
  const since = Math.min(...rows.flatMap(({ position }) => memoOf(position)?.since ?? []));
  const lateWorld = { ...world, exchanges: readOnce(world.exchanges, run.vaspId, since) };
  for (const { position, report } of rows) {
    const running = runningOf(position, lateWorld);
    const memo = memoOf(position);
    if (!running?.module.late || !memo) continue;
    const before = JSON.stringify([report.result, report.conditions]);
    await judgeLate(running, memo, since);
    if (JSON.stringify([report.result, report.conditions]) !== before) running.onChange();
  }
  for (const { readAgain } of world.ledgers.values()) await readAgain();
}

/** What storage trouble keeps from being stored is stored with the next change, at the latest with the end of the run. */
function save(deps: RunnerDeps, run: RunRow, { position, report, memo }: ModuleRow): void {
  try {
    write(deps.db, tx => {
      if (!stored.isOpen(tx, run.id)) return;
      stored.save(tx, run.id, position, report, memo);
      announceModule(deps, tx, run, report);
    });
  } catch (error) {
    if (!storageTrouble(error)) throw error;
  }
}

function announceModule(deps: RunnerDeps, tx: Tx, run: RunRow, report: ModuleReport): void {
  const { id: module, symbol, status, result, waiting } = report;
  const name = symbol ? `${module} ${symbol}` : module;
  const text = result ? `${name}: ${result}` : (waiting?.instruction ?? name);
  const detail = { module, ...(symbol && { symbol }), status, result };
  announce(deps, tx, run, status.toLowerCase(), text, detail);
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

/** It changes nothing that is judged at the end: it plays while the VASP notices that the timers have been moved. */
const isFiller = ({ module }: Running): boolean =>
  module.paysNothing === true && module.late === undefined && module.alone === undefined;

const laneOf = ({ world, report }: Running): string =>
  world.isSideBySide ? (report.symbol ?? sharedSymbol(world)) : 'all';

/** A module that the end of the process interrupted starts again, with other amounts, when the VASP has ended its old acts. */
async function beginAgain({ module, report, world }: Running): Promise<void> {
  await endArrangements(world, report);
  Object.assign(report, {
    starts: (report.starts ?? 1) + 1,
    note: 'The process ended in the middle of this module. It was started again.',
    conditions: blank(module),
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
async function inLanes(modules: readonly Running[], run: (module: Running) => Promise<void>): Promise<void> {
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
 * One lane waits while the other one works. What is judged again at the end of the run comes early, so that the time until
 * then passes while the others run. What pays nothing is left for the module that lets others play.
 */
function inTurn(lane: readonly Running[], index: number): Running[] {
  const waitsAreFirst = index % 2 === 0;
  const rank = ({ module: { late, mostlyWaits, paysNothing, letsOthersPlay } }: Running) =>
    paysNothing ? 5 : letsOthersPlay ? 4 : (Boolean(mostlyWaits) === waitsAreFirst ? 0 : 2) + (late ? 0 : 1);
  return lane.toSorted((one, other) => rank(one) - rank(other));
}

async function oneByOne(lane: readonly Running[], run: (module: Running) => Promise<void>): Promise<void> {
  const waiting = [...lane];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    next.playOthers = async isOver => {
      while (!isOver()) {
        const other = waiting.findIndex(({ module }) => module.paysNothing);
        if (other < 0) return;
        for (const each of waiting.splice(other, 1)) await run(each);
      }
    };
    await run(next);
  }
}

async function allEnded(lanes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
