import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listExchanges } from './list.ts';
import { ExchangesQuery, ExchangesResponse } from './schema.ts';

export const exchangeEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/exchanges',
    summary: 'List the HTTP exchanges with this VASP, newest first',
    query: ExchangesQuery,
    response: ExchangesResponse,
    run: ({ query }, caller) => listExchanges(deps, query, caller),
  }),
];
