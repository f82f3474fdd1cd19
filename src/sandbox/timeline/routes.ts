import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from './read.ts';
import { timelineCalls } from './schema.ts';

export const timelineEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(timelineCalls.timeline, {
    summary: 'Read what happened in one verification, in order',
    refusals: ['verification-missing'],
    precondition: 'verified',
    run: ({ params, query }, caller) => readTimeline(deps, params.uuid, caller, query),
  }),
];
