import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from './read.ts';
import { TimelineResponse } from './schema.ts';

export const timelineEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    method: 'GET',
    path: '/sandbox/v1/verifications/:uuid/timeline',
    summary: 'Read everything that happened in one verification, in order',
    refusals: ['verification-missing'],
    precondition: 'verified',
    response: TimelineResponse,
    run: ({ params }, caller) => readTimeline(deps, params.uuid, caller),
  }),
];
