import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listAssessments } from './list.ts';
import { AssessmentsQuery, AssessmentsResponse } from './schema.ts';

export const assessmentEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/assessments',
    summary: 'List the risk assessments of this VASP, newest first',
    query: AssessmentsQuery,
    response: AssessmentsResponse,
    run: ({ query }, caller) => listAssessments(deps, query, caller),
  }),
];
