import type { VaspOperation } from '../contract/vasp-api.ts';
import type { LoggedExchange } from './evidence.ts';
import { durationText } from './outcome.ts';

/** Whether an answer came in time, and whose delay it was. */

/** A timer may fire this much before its time. */
const TIMER_TOLERANCE_MS = 20;

/**
 * The enclave hangs up at the limit, so a late answer has no status. `unknown`: the answer was in time, or not, and this
 * process stood still meanwhile, so nobody can tell.
 */
export function timingOf(
  { status, durationMs, stallMs }: LoggedExchange,
  limitMs: number,
): 'in time' | 'late' | 'unknown' {
  const isOver = (ms: number) => (status === null ? ms >= limitMs - TIMER_TOLERANCE_MS : ms > limitMs);
  if (!isOver(durationMs)) return 'in time';
  return isOver(durationMs - (stallMs ?? 0)) ? 'late' : 'unknown';
}

/** The first that was cut off while this process itself stood still: it says nothing about the VASP. */
export const selfDelayIn = (
  exchanges: readonly LoggedExchange[],
  timeoutMs: Readonly<Record<VaspOperation, number>>,
): string | undefined => {
  const limitOf = ({ operation }: LoggedExchange) => timeoutMs[operation as VaspOperation];
  const ours = exchanges.find(each => each.status === null && timingOf(each, limitOf(each)) === 'unknown');
  return ours && timeIn(ours, limitOf(ours));
};

/** For people. */
export function timeIn({ status, durationMs, stallMs }: LoggedExchange, limitMs: number): string {
  const isCutOff = status === null && durationMs >= limitMs - TIMER_TOLERANCE_MS;
  const own = durationText({ durationMs, stallMs: stallMs ?? undefined });
  return isCutOff ? `no answer within ${limitMs} ms, then the sandbox hung up${stallMs ? ` after ${own}` : ''}` : own;
}
