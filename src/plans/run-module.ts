import type { ModuleReport } from '../contract/plans.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { ModuleContext, removeFaults } from './context.ts';
import type { PlanModule } from './module.ts';
import { resultOf } from './outcome.ts';
import { Skip, Stop } from './stop.ts';
import type { RunWorld } from './world.ts';

/** The data of a module for its judgement at the end of the run. */
export interface KeptMemo {
  since: number;
  memo: unknown;
}

export interface Running {
  world: RunWorld;
  module: PlanModule;
  /** It is changed in place. */
  report: ModuleReport;
  position: number;
  onChange(): void;
}

/** Runs a module to its end. Throws only when the run is stopped. */
export async function runModule({ world, module, report, position, onChange }: Running): Promise<KeptMemo> {
  const startedAt = elapsedMs();
  const context = new ModuleContext({ world, report, position, onChange });
  Object.assign(report, { status: 'RUNNING', result: null });
  onChange();
  const note = await outcomeOf(module, context, world).finally(() => endFaults(world, report));
  world.signal.throwIfAborted();
  const judged = resultOf(report.conditions);
  const result = note?.note && judged !== 'FAILED' ? 'REVIEW' : judged;
  const isSkipped = result === 'SKIPPED';
  const notes = [report.note, note?.note, isSkipped ? undefined : note?.skippedBecause];
  Object.assign(report, {
    status: 'FINISHED',
    waiting: null,
    skippedBecause: isSkipped ? (note?.skippedBecause ?? 'Nothing could be judged.') : null,
    note: notes.filter(Boolean).join(' ') || null,
    result,
    durationMs: Math.round(elapsedMs() - startedAt),
    memoryBytes: world.memoryBytes(),
    exchanges: context.evidence.kept(citedIn(report)),
  });
  return { since: context.evidence.since, memo: context.memo };
}

/** A module may end before it has removed its faults. They must not reach the next one. */
export async function endFaults({ api }: RunWorld, report: ModuleReport): Promise<void> {
  await removeFaults(api, report.faults ?? []);
  delete report.faults;
}

/** Undefined: it ran to its end, or a condition ended it. */
async function outcomeOf(
  module: PlanModule,
  context: ModuleContext,
  { signal }: RunWorld,
): Promise<{ skippedBecause?: string; note?: string } | undefined> {
  try {
    await module.run(context);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Stop) return undefined;
    if (error instanceof Skip) return { skippedBecause: error.message };
    return { note: `The module could not go on: ${(error as Error).message}` };
  }
  return undefined;
}

/** Judges again what can still go wrong after a module. */
export async function judgeLate(
  { world, module, report, position, onChange }: Running,
  { since, memo }: KeptMemo,
): Promise<void> {
  if (!module.late || memo === null) return;
  const context = new ModuleContext({ world, report, position, since, onChange });
  try {
    await module.late(context, memo);
  } catch (error) {
    world.signal.throwIfAborted();
    if (!(error instanceof Stop || error instanceof Skip)) throw error;
  }
  if (report.result !== 'REVIEW' || resultOf(report.conditions) === 'FAILED')
    report.result = resultOf(report.conditions);
  const kept = new Map(report.exchanges.map(each => [each.id, each]));
  const cited = citedIn(report);
  for (const each of context.evidence.kept(cited)) if (cited.has(each.id)) kept.set(each.id, each);
  report.exchanges = [...kept.values()];
}

const citedIn = ({ conditions }: ModuleReport): ReadonlySet<string> =>
  new Set(conditions.flatMap(({ exchanges }) => exchanges));
