import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { TimelineResponse } from './schema.ts';
import { timeline } from './timeline.ts';

export const timelineEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    method: 'GET',
    path: '/sandbox/v1/verifications/:uuid/timeline',
    summary: 'Read everything that happened in one verification, in order',
    refusals: ['verification-missing'],
    precondition: 'verified',
    response: TimelineResponse,
    run: ({ params }, caller) => timeline(deps, params.uuid, caller),
  }),
];
