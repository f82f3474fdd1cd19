import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listBalances } from './list.ts';
import { BalancesResponse } from './schema.ts';

export const balanceEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/balances',
    summary: 'List the balances of this VASP at the addresses of the robot',
    response: BalancesResponse,
    run: (_, caller) => listBalances(deps, caller),
  }),
];
