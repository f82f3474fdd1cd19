import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { reset } from './reset.ts';
import { ResetResponse } from './schema.ts';

export const resetEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'POST',
    path: '/sandbox/v1/reset',
    summary: 'Delete the data of this VASP; its registration stays',
    response: ResetResponse,
    run: (_, caller) => reset(deps, caller),
  }),
];
