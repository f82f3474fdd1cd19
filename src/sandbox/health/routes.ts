import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readHealth } from './read.ts';
import { HealthResponse } from './schema.ts';

export const healthEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    access: 'vasp or operator',
    method: 'GET',
    path: '/sandbox/v1/health',
    summary: 'Read whether the sandbox is ready, and what needs attention',
    response: HealthResponse,
    run: (_, caller) => readHealth(deps, caller),
  }),
];
