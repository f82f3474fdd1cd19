import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from './read.ts';
import { TimelineResponse } from './schema.ts';

export const timelineEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/verifications/:uuid/timeline', {
    summary: 'Read everything that happened in one verification, in order',
    refusals: ['verification-missing'],
    precondition: 'verified',
    response: TimelineResponse,
    run: ({ params }, caller) => readTimeline(deps, params.uuid, caller),
  }),
];
