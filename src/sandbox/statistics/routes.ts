import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readStatistics } from './read.ts';
import { StatisticsResponse } from './schema.ts';

export const statisticsEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/statistics',
    summary: 'Read the results of each hour, and how fast this VASP answers',
    response: StatisticsResponse,
    run: (_, caller) => readStatistics(deps, caller),
  }),
];
