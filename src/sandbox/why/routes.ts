import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { explainVerification } from './explain.ts';
import { whyCalls } from './schema.ts';

export const whyEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(whyCalls.why, {
    summary: 'Explain in a few lines why a verification is in its state, and what to do',
    refusals: ['verification-missing'],
    precondition: 'verified',
    run: ({ params }, caller) => explainVerification(deps, params.uuid, caller),
  }),
];
