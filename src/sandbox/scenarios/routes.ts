import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listScenarios } from './catalogue.ts';
import { readyRequest } from './ready-request.ts';
import { ReadyRequest, ReadyRequestQuery, ScenariosResponse } from './schema.ts';

const GET = { operation: 'sandbox', method: 'GET' } as const;

/** What can be sent: everything that provokes an outcome, and requests to begin with. */
export const scenarioEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...GET,
    path: '/sandbox/v1/scenarios',
    summary: 'Every outcome and behaviour, with the exact input that provokes it',
    response: ScenariosResponse,
    run: (_, caller) => listScenarios(deps, caller),
  }),
  endpoint({
    ...GET,
    path: '/sandbox/v1/requests/:request',
    summary: 'A valid request of that operation, ready to be sent',
    query: ReadyRequestQuery,
    response: ReadyRequest,
    examples: { default: { params: { request: 'verify-user' } } },
    run: ({ query, params }, caller) => readyRequest(deps, params.request, query, caller),
  }),
];
