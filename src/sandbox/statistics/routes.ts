import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readStatistics } from './read.ts';
import { statisticsCalls } from './schema.ts';

export const statisticsEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(statisticsCalls.statistics, {
    summary: 'Read the results of each hour, and how fast this VASP answers',
    run: (_, caller) => readStatistics(deps, caller),
  }),
];
