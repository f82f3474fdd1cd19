import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { LOCAL_VASP } from '../vasps/schema.ts';
import { checkVasp } from './check-vasp.ts';
import { CheckRequest, CheckResponse } from './schema.ts';

export const checkEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    method: 'POST',
    path: '/sandbox/v1/vasps/:vaspId/check',
    summary: 'Call the endpoints of this VASP with sample requests and report what is wrong',
    body: CheckRequest,
    bodyMayBeAbsent: true,
    refusals: ['not-found'],
    response: CheckResponse,
    examples: { default: { params: LOCAL_VASP, body: { endpoints: ['callback'] } } },
    run: ({ body, params }, caller) => checkVasp(deps, params.vaspId, body, caller),
  }),
];
