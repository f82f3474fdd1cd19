import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { changeVasp } from './change.ts';
import { listVasps } from './list.ts';
import { registerVasp } from './register.ts';
import {
  LOCAL_VASP,
  RegisteredVasp,
  RegisteredVaspsQuery,
  VaspPatch,
  VaspRequest,
  VaspsResponse,
} from './schema.ts';

const SANDBOX = { operation: 'sandbox', refusals: [] } as const;

export const vaspEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...SANDBOX,
    method: 'GET',
    access: 'vasp or operator',
    path: '/sandbox/v1/vasps',
    summary: 'List the registered VASPs',
    query: RegisteredVaspsQuery,
    response: VaspsResponse,
    run: ({ query }, caller) => listVasps(deps, query, caller),
  }),
  endpoint({
    ...SANDBOX,
    method: 'PUT',
    path: '/sandbox/v1/vasps/:vaspId',
    summary: 'Register a VASP, or replace its registration',
    body: VaspRequest,
    refusals: ['not-found', 'address-not-allowed'],
    response: RegisteredVasp,
    run: ({ body, params }, caller) => registerVasp(deps, params.vaspId, body, caller),
  }),
  endpoint({
    ...SANDBOX,
    method: 'PATCH',
    path: '/sandbox/v1/vasps/:vaspId',
    summary: 'Change a registration; members that are left out stay as they are',
    body: VaspPatch,
    refusals: ['not-found', 'address-not-allowed'],
    response: RegisteredVasp,
    examples: { default: { params: LOCAL_VASP, body: { authorization: { token: 'my-token' } } } },
    run: ({ body, params }, caller) => changeVasp(deps, params.vaspId, body, caller),
  }),
];
