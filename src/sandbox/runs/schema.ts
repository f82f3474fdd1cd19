import * as z from 'zod';
import { PlansQuery, PlansResponse } from '../../contract/plan-list.ts';
import { RunReport, RunRequest, RunStarted, RunsResponse } from '../../contract/plans.ts';
import { named, optional } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';
import { duration, limit, MAX_WAIT_MS } from '../parameters.ts';

/** `/plans`, `/runs` */

export const ReportQuery = named('ReportQuery', {
  withPersonalData: z.enum(['true', 'false']).optional().describe('true: persons are shown.'),
});
export const RunQuery = named('RunQuery', {
  wait: optional(duration(MAX_WAIT_MS)).describe('Longest wait for the end of the run; at most 60s.'),
  exchangesOf: z
    .string()
    .max(4_000)
    .regex(/^(?:\d{1,3}(?:,\d{1,3})*)?$/, 'should be positions of modules, from 0, separated by commas')
    .optional()
    .describe(
      'Positions of modules in `modules`, from 0, separated by commas: the others have no exchanges. Empty: none has. Default: all have.',
    ),
});
const RunsQuery = named('RunsQuery', { limit });
const file = { query: ReportQuery, response: z.string() };
const RunStopped = named('RunStopped', { result: z.literal(true) });

export const runCalls = calls({
  plans: { query: PlansQuery, response: PlansResponse },
  startRun: { body: RunRequest, response: RunStarted },
  runs: { query: RunsQuery, response: RunsResponse },
  run: { query: RunQuery, response: RunReport },
  stopRun: { response: RunStopped },
  reportJson: { query: ReportQuery, response: RunReport },
  reportXml: file,
  reportHtml: file,
  reportMarkdown: file,
  reportSigned: file,
});
