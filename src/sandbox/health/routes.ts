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
    summary: 'Read the readiness of the sandbox and the attention list',
    response: HealthResponse,
    run: (_, caller) => readHealth(deps, caller),
  }),
];
