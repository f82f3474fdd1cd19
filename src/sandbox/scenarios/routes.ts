import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listScenarios } from './catalogue.ts';
import { readyRequest } from './ready-request.ts';
import { ReadyRequest, ReadyRequestQuery, ScenariosResponse } from './schema.ts';

const GET = { operation: 'sandbox', method: 'GET' } as const;

export const scenarioEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...GET,
    path: '/sandbox/v1/scenarios',
    summary: 'List every outcome and behaviour with the exact input that provokes it',
    response: ScenariosResponse,
    run: (_, caller) => listScenarios(deps, caller),
  }),
  endpoint({
    ...GET,
    path: '/sandbox/v1/requests/:request',
    summary: 'Read a valid request of one operation, ready to send',
    query: ReadyRequestQuery,
    response: ReadyRequest,
    examples: { default: { params: { request: 'verify-user' } } },
    run: ({ query, params }, caller) => readyRequest(deps, params.request, query, caller),
  }),
];
