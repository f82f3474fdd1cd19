import type { VaspOperation } from '../contract/vasp-api.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { LoggedExchange } from './evidence.ts';
import type { Running } from './run-module.ts';
import { timingOf } from './timing.ts';
import type { RunWorld, Silence } from './world.ts';

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
