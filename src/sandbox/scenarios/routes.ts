import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listScenarios } from './catalogue.ts';
import { readyRequest } from './ready-request.ts';
import { scenarioCalls } from './schema.ts';

export const scenarioEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(scenarioCalls.scenarios, {
    summary: 'List every outcome and behaviour with the exact input that provokes it',
    run: (_, caller) => listScenarios(deps, caller),
  }),
  control(scenarioCalls.readyRequest, {
    summary: 'Read a valid request of one operation, ready to send',
    refusals: ['not-found', 'unknown-symbol'],
    examples: { default: { params: { request: 'verify-user' } } },
    run: ({ query, params }, caller) => readyRequest(deps, params.request, query, caller),
  }),
];
