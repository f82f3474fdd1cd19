import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listVerifications } from './list.ts';
import { NeighboursResponse, VerificationsQuery, VerificationsResponse } from './schema.ts';

export const verificationEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/verifications', {
    summary: 'Search the verifications of this VASP; each shows the state of its payment',
    query: VerificationsQuery,
    response: VerificationsResponse,
    run: ({ query }, caller) => listVerifications(deps, query, caller),
  }),
  control.get('/sandbox/v1/verifications/:uuid/neighbours', {
    refusals: ['verification-missing'],
    precondition: 'verified',
    summary: 'Read the verifications before and after one in the list',
    response: NeighboursResponse,
    run: ({ params }, caller) => deps.enclave.neighboursOf(params.uuid, caller),
  }),
];
