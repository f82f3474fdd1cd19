import * as z from 'zod';
import { RESULT_VALUES } from '../contract/clauses.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { named } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { grouped } from '../kernel/members.ts';
import type { SandboxDeps } from './deps.ts';
import type { CallCount } from './exchanges/store.ts';

export const statisticsEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(statisticsCalls.statistics, {
    summary: 'Read the results of each hour, and how fast this VASP answers',
    run: (_, caller) => readStatistics(deps, caller),
  }),
];

const HOUR_MS = 3_600_000;
/** No picture reads more rows than this. */
const MAX_READ = 5_000;

export const readStatistics = (deps: SandboxDeps, caller: CallerId) => ({
  hours: hoursOf(deps, caller),
  latencies: latenciesOf(deps, caller),
});

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

function latenciesOf({ exchanges }: SandboxDeps, caller: CallerId): z.output<typeof Latency>[] {
  const byOperation = grouped(exchanges.newestCalls(caller, MAX_READ), ({ operation }) => operation);
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

/** `/statistics` */

const HOURS = 24;
/** Upper limits in ms. The last bucket has none. */
const BUCKETS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const;

const count = z.number().int();
const Results = z.object({
  OPEN: count,
  ...(Object.fromEntries(RESULT_VALUES.map(result => [result, count])) as Record<
    (typeof RESULT_VALUES)[number],
    typeof count
  >),
});
const Hour = z.object({ at: Timestamp.describe('Begin of the hour.'), results: Results });
type Hour = z.output<typeof Hour>;
const Latency = z.object({
  operation: z.string(),
  count,
  unanswered: count,
  p50: z.number().int().nullable().describe('In ms; null: no call was answered.'),
  p95: z.number().int().nullable(),
  histogram: z.array(count).describe(`Calls that took less than ${BUCKETS.join(', ')} ms, and the others.`),
});

export const statisticsCalls = calls({
  statistics: {
    response: named('StatisticsResponse', {
      hours: z.array(Hour).describe(`Verifications of the last ${HOURS} hours, oldest hour first.`),
      latencies: z.array(Latency).describe('The newest calls of the sandbox to this VASP, for each endpoint.'),
    }),
  },
});
