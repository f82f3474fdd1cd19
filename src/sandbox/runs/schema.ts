import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { PlansResponse } from '../../contract/plan-list.ts';
import { RunReport, RunRequest, RunStarted, RunsResponse } from '../../contract/plans.ts';
import { calls } from '../../http/endpoint.ts';

/** `/plans`, `/runs` */

export const ReportQuery = named('ReportQuery', {
  withPersonalData: z.enum(['true', 'false']).optional().describe('true: persons are shown.'),
});
const file = { query: ReportQuery, response: z.string() };
const RunStopped = named('RunStopped', { result: z.literal(true) });

export const runCalls = calls({
  plans: { response: PlansResponse },
  startRun: { body: RunRequest, response: RunStarted },
  runs: { response: RunsResponse },
  run: { response: RunReport },
  stopRun: { response: RunStopped },
  reportJson: { query: ReportQuery, response: RunReport },
  reportXml: file,
  reportHtml: file,
  reportMarkdown: file,
  reportSigned: file,
});
