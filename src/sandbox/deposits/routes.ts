import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listDeposits } from './list.ts';
import { DepositsQuery, DepositsResponse } from './schema.ts';

export const depositEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/deposits',
    summary: 'List the payments to the robot, including unattributed ones',
    query: DepositsQuery,
    response: DepositsResponse,
    run: ({ query }, caller) => listDeposits(deps, query, caller),
  }),
];
