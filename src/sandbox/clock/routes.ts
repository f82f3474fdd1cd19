import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { advanceClock } from './advance.ts';
import { listTimers } from './list-timers.ts';
import { readClock } from './read.ts';
import { AdvanceRequest, AdvanceResponse, ClockResponse, TimersQuery, TimersResponse } from './schema.ts';

const SANDBOX = { operation: 'sandbox', refusals: [] } as const;

export const clockEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...SANDBOX,
    method: 'GET',
    path: '/sandbox/v1/clock',
    summary: 'Read the time of this VASP',
    response: ClockResponse,
    run: (_, caller) => readClock(deps, caller),
  }),
  endpoint({
    ...SANDBOX,
    method: 'POST',
    path: '/sandbox/v1/clock/advance',
    summary: 'Move the time of this VASP forward; answers when every due timer has run',
    body: AdvanceRequest,
    response: AdvanceResponse,
    run: ({ body }, caller) => advanceClock(deps, body.duration, caller),
  }),
  endpoint({
    ...SANDBOX,
    method: 'GET',
    path: '/sandbox/v1/timers',
    summary: 'List the pending timers of this VASP',
    query: TimersQuery,
    response: TimersResponse,
    run: ({ query }, caller) => listTimers(deps, query, caller),
  }),
];
