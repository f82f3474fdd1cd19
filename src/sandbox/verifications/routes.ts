import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listVerifications } from './list.ts';
import { verificationCalls } from './schema.ts';

export const verificationEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(verificationCalls.verifications, {
    summary: 'Search the verifications of this VASP; each shows the state of its payment',
    run: ({ query }, caller) => listVerifications(deps, query, caller),
  }),
  control(verificationCalls.neighbours, {
    refusals: ['verification-missing'],
    precondition: 'verified',
    summary: 'Read the verifications before and after one in the list',
    run: ({ params }, caller) => deps.enclave.neighboursOf(params.uuid, caller),
  }),
];
