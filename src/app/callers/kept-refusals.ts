import type { Endpoint } from '../../http/endpoint.ts';
import { type RefusedCalls, refusedCalls } from '../../http/refused-calls.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { rateLimit } from '../../kernel/rate-limit.ts';
import type { Base } from '../parts/base.ts';
import type { Callers } from './callers.ts';

/** Exchanges of refused calls: at most at once, and then per second. */
const KEPT = { most: 200, perSecond: 2 };

/** The refused calls of VASPs among the exchanges, within a limit for each VASP. */
export function keptRefusals(
  { exchanges, clock }: Base,
  endpoints: readonly Endpoint[],
  callers: Callers,
): RefusedCalls {
  const limit = rateLimit(elapsedMs);
  return refusedCalls({
    endpoints: endpoints.filter(({ operation }) => operation !== 'sandbox'),
    exchanges,
    now: clock.now,
    vaspOf: callers.vaspOf,
    mayKeep: vaspId => limit.take(vaspId, KEPT.perSecond, KEPT.most).ok,
  });
}
