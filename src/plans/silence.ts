import type { VaspOperation } from '../contract/vasp-api.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { LoggedExchange } from './evidence.ts';
import type { Running } from './run-module.ts';
import { timingOf } from './steps/answers.ts';
import type { RunWorld } from './world.ts';

/** A VASP that answers no call in time: every module would wait for the whole of each limit, and say the same. */

/** Enough that no start and no single slow answer counts. */
const UNANSWERED_CALLS = 12;
const UNANSWERED_MS = 10_000;
const PAGE = 100;

export interface Silence {
  /** The number of calls, none of which was answered in time; undefined: one was, or there were too few. */
  calls(): number | undefined;
}

/** Watches the calls of the enclave to the VASP from now on. One answer in time, of any status, ends it for the run. */
export function watchSilence({ exchanges, vaspId, timeoutMs }: RunWorld): Silence {
  const startedAt = elapsedMs();
  let read = exchanges.newest();
  let unanswered = 0;
  let isAnswered = false;
  const isInTime = (call: LoggedExchange) =>
    call.status !== null && timingOf(call, timeoutMs[call.operation as VaspOperation]) === 'in time';
  return {
    calls() {
      while (!isAnswered) {
        const page = exchanges.after(vaspId, { after: read, limit: PAGE });
        const calls = page.filter(({ direction }) => direction === 'OUT');
        isAnswered = calls.some(isInTime);
        unanswered += calls.length;
        read = page.at(-1)?.id ?? read;
        if (page.length < PAGE) break;
      }
      const isLong = elapsedMs() - startedAt >= UNANSWERED_MS;
      return !isAnswered && isLong && unanswered >= UNANSWERED_CALLS ? unanswered : undefined;
    },
  };
}

/**
 * Skips a module of a VASP that answers nothing, unless it is the first to judge the time of a kind of call. A module that
 * is alone is skipped: it waits for every callback that is sent again.
 */
export function skipWhenSilent(
  { module, report }: Running,
  { calls }: Silence,
  others: readonly Running['report'][],
): boolean {
  const unanswered = calls();
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
const timeOf = ({ id, conditions }: Running['report']) =>
  conditions.find(each => each.id === `${id}.in-time`);
