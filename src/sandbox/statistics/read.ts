import type * as z from 'zod';
import { RESULT_VALUES } from '../../contract/reasons.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { CallCount } from '../exchanges/store.ts';
import { BUCKETS, HOURS, type StatisticsResponse } from './schema.ts';

type Statistics = z.output<typeof StatisticsResponse>;
type Hour = Statistics['hours'][number];
type Latency = Statistics['latencies'][number];

const HOUR_MS = 3_600_000;
/** No picture reads more rows than this. */
const MAX_READ = 5_000;

export function readStatistics(deps: SandboxDeps, caller: CallerId): Statistics {
  return { hours: hoursOf(deps, caller), latencies: latenciesOf(deps, caller) };
}

function hoursOf({ clock, enclave }: SandboxDeps, caller: CallerId): Hour[] {
  const current = Math.floor(clock.now(caller) / HOUR_MS);
  const first = current - HOURS + 1;
  const hours = Array.from(
    { length: HOURS },
    (_, index): Hour => ({ at: toIso((first + index) * HOUR_MS), results: noResults() }),
  );
  for (const { hour, status, count } of enclave.countsSince(caller, first * HOUR_MS, MAX_READ)) {
    const found = hours[hour - first];
    if (found) found.results[status] += count;
  }
  return hours;
}

const noResults = (): Hour['results'] =>
  Object.fromEntries(['OPEN', ...RESULT_VALUES].map(result => [result, 0])) as Hour['results'];

function latenciesOf({ exchanges }: SandboxDeps, caller: CallerId): Latency[] {
  const byOperation = new Map<string, CallCount[]>();
  for (const call of exchanges.newestCalls(caller, MAX_READ)) {
    const calls = byOperation.get(call.operation);
    if (calls) calls.push(call);
    else byOperation.set(call.operation, [call]);
  }
  return [...byOperation]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, calls]) => {
      const answered = calls.filter(({ isAnswered }) => isAnswered === 1);
      return {
        operation,
        count: sum(calls),
        unanswered: sum(calls) - sum(answered),
        p50: percentile(answered, 0.5),
        p95: percentile(answered, 0.95),
        histogram: histogramOf(answered),
      };
    });
}

const sum = (calls: readonly CallCount[]): number => calls.reduce((total, { count }) => total + count, 0);

/** Of calls in the order of their durations. */
function percentile(sorted: readonly CallCount[], part: number): number | null {
  let rest = Math.max(1, Math.ceil(sum(sorted) * part));
  for (const { durationMs, count } of sorted) {
    rest -= count;
    if (rest <= 0) return durationMs;
  }
  return null;
}

function histogramOf(calls: readonly CallCount[]): number[] {
  const histogram = [...BUCKETS.map(() => 0), 0];
  for (const { durationMs, count } of calls) {
    const bucket = BUCKETS.findIndex(limit => durationMs < limit);
    histogram[bucket === -1 ? BUCKETS.length : bucket]! += count;
  }
  return histogram;
}
