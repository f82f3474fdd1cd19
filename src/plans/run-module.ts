import type { ModuleReport } from '../contract/plans.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { MODULES } from './catalogue.ts';
import { ModuleContext, type PlayOthers } from './context.ts';
import type { LoggedExchange } from './evidence.ts';
import type { PlanModule } from './module.ts';
import { hasFailed, resultOf, worst } from './outcome.ts';
import { blank } from './report-of.ts';
import { PremiseMissing, Skip, Stop } from './stop.ts';
import { removeFaults } from './target.ts';
import { timingOf } from './timing.ts';
import type { RunWorld, Silence } from './world.ts';

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
  playOthers?: PlayOthers;
}

/** A module whose premise depends on chance starts at most this often. */
const MAX_STARTS = 5;

/** Runs a module to its end. Throws only when the run is stopped. */
export async function runModule(running: Running): Promise<KeptMemo> {
  const { world, module, report, onChange, playOthers } = running;
  const position = MODULES.indexOf(module);
  const startedAt = elapsedMs();
  Object.assign(report, { status: 'RUNNING', result: null });
  onChange();
  for (let start = 1; ; start++) {
    const context = new ModuleContext({
      ...{ world, report, position, start, onChange, playOthers },
      startsLeft: MAX_STARTS - start,
    });
    const outcome = await outcomeOf(module, context, world).finally(() => endArrangements(world, report));
    world.signal.throwIfAborted();
    if (outcome.missing !== undefined && start < MAX_STARTS) {
      startAgain(running);
      continue;
    }
    if (report.conditions.some(hasFailed)) for (const end of context.ends) world.watch.ends.add(end);
    finish(running, context, outcome);
    report.durationMs = Math.round(elapsedMs() - startedAt);
    return { since: context.evidence.since, memo: context.memo };
  }
}

/** With other amounts, and nothing judged. */
function startAgain({ module, report }: Running): void {
  report.starts = (report.starts ?? 1) + 1;
  report.conditions = blank(module);
}

/** A module that is judged again at the end of the run has no result before. */
function finish(
  { world, module, report }: Running,
  { evidence, memo }: ModuleContext,
  { skip, error, missing }: Outcome,
): void {
  const result = missing === undefined && !error ? resultOf(report.conditions) : withError(report);
  const isSkipped = result === 'SKIPPED';
  const isLast = result === 'ERROR' || !module.late || memo === null;
  const notes = [
    report.note,
    error,
    missing && `${missing} The module was started ${MAX_STARTS} times. The VASP is not judged.`,
    isSkipped ? undefined : skip?.message,
  ];
  Object.assign(report, {
    status: 'FINISHED',
    waiting: null,
    skippedBecause: isSkipped && isLast ? (skip?.message ?? whyNotJudged(report)) : null,
    ...(isSkipped && skip?.applies === false ? { applies: false } : {}),
    note: notes.filter(Boolean).join(' ') || null,
    result: isLast ? result : null,
    memoryBytes: world.memoryBytes(),
    exchanges: evidence.kept(citedIn(report)),
  });
}

const whyNotJudged = ({ conditions }: ModuleReport): string =>
  conditions.find(({ got }) => got !== null)?.got ?? 'Nothing could be judged.';

/** A failure before the error stays one. */
const withError = ({ conditions }: ModuleReport) => worst([resultOf(conditions), 'ERROR']);

/** A module may end before it has removed its faults and released its ledger. They must not reach the next one. */
export async function endArrangements(world: RunWorld, report: ModuleReport): Promise<void> {
  if (report.held) await world.releaseLedger(report.held);
  delete report.held;
  await removeFaults(world.api, report.faults ?? []);
  delete report.faults;
}

/** Empty: it ran to its end, or a condition ended it. */
interface Outcome {
  skip?: Skip;
  /** Trouble of the sandbox or of a ledger. */
  error?: string;
  /** The premise that did not come true. */
  missing?: string;
}

const troubleText = ({ message }: Error): string => `This is trouble of the sandbox, not of the VASP: ${message}`;

async function outcomeOf(module: PlanModule, context: ModuleContext, world: RunWorld): Promise<Outcome> {
  try {
    // Only an embedded ledger has one, pays wrongly, and is held.
    if (module.needs.includes('faucet') && !world.isEmbedded(context.symbol))
      context.doesNotApply('It needs an embedded ledger.');
    await module.run(context);
  } catch (error) {
    world.signal.throwIfAborted();
    if (error instanceof Stop) return {};
    if (error instanceof Skip) return { skip: error };
    const { message } = error as Error;
    if (error instanceof PremiseMissing) return { missing: message };
    return { error: troubleText(error as Error) };
  }
  return {};
}

/** Judges again what can still go wrong after a module. Its result is final then. */
export async function judgeLate(
  { world, module, report, onChange }: Running,
  { since, memo }: KeptMemo,
  runSince: number,
): Promise<void> {
  if (!module.late || memo === null) return;
  const position = MODULES.indexOf(module);
  const context = new ModuleContext({ world, report, position, since, runSince, onChange });
  try {
    await module.late(context, memo);
  } catch (error) {
    world.signal.throwIfAborted();
    if (!(error instanceof Stop || error instanceof Skip)) {
      report.result = 'ERROR';
      report.note = [report.note, troubleText(error as Error)].filter(Boolean).join(' ');
    }
  }
  report.result = worst([report.result, resultOf(report.conditions)]);
  if (report.result === 'SKIPPED') report.skippedBecause = whyNotJudged(report);
  const kept = new Set(report.exchanges.map(({ id }) => id));
  const missing = [...citedIn(report)].filter(id => !kept.has(id));
  if (missing.length > 0) report.exchanges.push(...context.ofRun.kept(new Set(missing), 0));
}

const citedIn = ({ conditions }: ModuleReport): ReadonlySet<string> =>
  new Set(conditions.flatMap(({ exchanges }) => exchanges));

/** A VASP that answers no call in time: every module would wait for the whole of each limit, and say the same. */

/** Enough that no start and no single slow answer counts. */
const UNANSWERED_CALLS = 12;
const UNANSWERED_MS = 10_000;
const LATE_CALLS = 3;
const PAGE = 100;

/** Watches the calls of the enclave to the VASP from now on. */
export function watchSilence(
  { exchanges, vaspId, timeoutMs }: Pick<RunWorld, 'exchanges' | 'vaspId' | 'timeoutMs'>,
  now = elapsedMs,
): Silence {
  const startedAt = now();
  let read = exchanges.newest();
  let unanswered = 0;
  const late = new Map<string, number>();
  const answered = new Set<string>();
  const judged = new Set<string>();

  function count(call: LoggedExchange): void {
    const { operation, status } = call;
    const timing = timingOf(call, timeoutMs[operation as VaspOperation]);
    if (timing === 'unknown') return;
    unanswered++;
    if (timing === 'late') late.set(operation, (late.get(operation) ?? 0) + 1);
    if (timing === 'in time' && status !== null) answered.add(operation);
  }
  function look(): void {
    let page: LoggedExchange[];
    do {
      page = exchanges.after(vaspId, { after: read, limit: PAGE });
      for (const call of page) if (call.direction === 'OUT') count(call);
      read = page.at(-1)?.id ?? read;
    } while (page.length === PAGE);
  }
  return {
    calls() {
      look();
      const isLong = now() - startedAt >= UNANSWERED_MS;
      return answered.size === 0 && isLong && unanswered >= UNANSWERED_CALLS ? unanswered : undefined;
    },
    lateCalls(operation) {
      look();
      const calls = late.get(operation) ?? 0;
      const isLate = judged.has(operation) && !answered.has(operation) && calls >= LATE_CALLS;
      return isLate ? calls : undefined;
    },
    failed: operation => void judged.add(operation),
  };
}

/**
 * Skips a module of a VASP that answers nothing, unless it is the first to judge the time of a kind of call. A module that
 * is alone is skipped: it waits for every callback that is sent again.
 */
export function skipWhenSilent({ module, report, world }: Running, others: readonly Running['report'][]): boolean {
  const unanswered = world.silence.calls();
  const clause = timeOf(report)?.clause;
  const isJudged = others.map(timeOf).some(time => time?.clause === clause && time?.result === 'FAILED');
  const isFirst = clause !== undefined && !isJudged && !module.alone;
  if (unanswered === undefined || isFirst) return false;
  Object.assign(report, {
    status: 'FINISHED',
    result: 'SKIPPED',
    skippedBecause: `The VASP has answered none of the ${unanswered} calls of this run in time. Play the plan again when it does.`,
  });
  return true;
}

/** The condition about the time limit of a call. */
const timeOf = ({ id, conditions }: Running['report']) => conditions.find(each => each.id === `${id}.in-time`);
