import type * as z from 'zod';
import { RESULT_VALUES } from '../../contract/reasons.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { BUCKETS, HOURS, type StatisticsResponse } from './schema.ts';

type Statistics = z.output<typeof StatisticsResponse>;
type Hour = Statistics['hours'][number];
type Latency = Statistics['latencies'][number];

const HOUR_MS = 3_600_000;
/** No picture reads more rows than this. */
const MOST_READ = 5_000;

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
  for (const { createdAt, status } of enclave.statusesSince(caller, first * HOUR_MS, MOST_READ)) {
    const hour = hours[Math.floor(createdAt / HOUR_MS) - first];
    if (hour) hour.results[status]++;
  }
  return hours;
}

const noResults = (): Hour['results'] =>
  Object.fromEntries(['OPEN', ...RESULT_VALUES].map(result => [result, 0])) as Hour['results'];

function latenciesOf({ exchanges }: SandboxDeps, caller: CallerId): Latency[] {
  const byOperation = new Map<string, { durationMs: number; status: number | null }[]>();
  for (const call of exchanges.newestCalls(caller, MOST_READ)) {
    const calls = byOperation.get(call.operation);
    if (calls) calls.push(call);
    else byOperation.set(call.operation, [call]);
  }
  return [...byOperation]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, calls]) => {
      const answered = calls.filter(({ status }) => status !== null).map(({ durationMs }) => durationMs);
      answered.sort((a, b) => a - b);
      return {
        operation,
        count: calls.length,
        unanswered: calls.length - answered.length,
        p50: percentile(answered, 0.5),
        p95: percentile(answered, 0.95),
        histogram: histogramOf(answered),
      };
    });
}

const percentile = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;

function histogramOf(durations: readonly number[]): number[] {
  const histogram = [...BUCKETS.map(() => 0), 0];
  for (const duration of durations) {
    const bucket = BUCKETS.findIndex(limit => duration < limit);
    histogram[bucket === -1 ? BUCKETS.length : bucket]!++;
  }
  return histogram;
}
