import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { RESULT_VALUES } from '../../contract/reasons.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';

/** `/statistics` */

export const HOURS = 24;
/** Upper limits in ms. The last bucket has none. */
export const BUCKETS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const;

const count = z.number().int();
const Results = z.object({
  OPEN: count,
  ...(Object.fromEntries(RESULT_VALUES.map(result => [result, count])) as Record<
    (typeof RESULT_VALUES)[number],
    typeof count
  >),
});
const Hour = z.object({ at: Timestamp.describe('Begin of the hour.'), results: Results });
const Latency = z.object({
  operation: z.string(),
  count,
  unanswered: count,
  p50: z.number().int().nullable().describe('In ms; null: no call was answered.'),
  p95: z.number().int().nullable(),
  histogram: z.array(count).describe(`Calls that took less than ${BUCKETS.join(', ')} ms, and the others.`),
});
export const StatisticsResponse = named('StatisticsResponse', {
  hours: z.array(Hour).describe(`Verifications of the last ${HOURS} hours, oldest hour first.`),
  latencies: z.array(Latency).describe('The newest calls of the sandbox to this VASP, for each endpoint.'),
});

export const statisticsCalls = calls({ statistics: { response: StatisticsResponse } });
