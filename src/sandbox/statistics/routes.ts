import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readStatistics } from './read.ts';
import { StatisticsResponse } from './schema.ts';

export const statisticsEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/statistics', {
    summary: 'Read the results of each hour, and how fast this VASP answers',
    response: StatisticsResponse,
    run: (_, caller) => readStatistics(deps, caller),
  }),
];
