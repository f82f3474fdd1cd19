import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { RunReport, RunRequest, RunStarted, RunsResponse } from '../../contract/plans.ts';
import { del, get, post } from '../../http/endpoint.ts';

/** `/runs` */

const RunStopped = named('RunStopped', { result: z.literal(true) });

export const runCalls = {
  startRun: post('/sandbox/v1/runs', RunStarted, { body: RunRequest }),
  runs: get('/sandbox/v1/runs', RunsResponse),
  run: get('/sandbox/v1/runs/:id', RunReport),
  stopRun: del('/sandbox/v1/runs/:id', RunStopped),
};
