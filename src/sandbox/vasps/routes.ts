import type * as z from 'zod';
import { parse } from '../../contract/parse.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listVasps } from './list.ts';
import { ownVasp, registerVasp } from './register.ts';
import {
  LOCAL_VASP,
  RegisteredVasp,
  RegisteredVaspsQuery,
  VaspPatch,
  VaspRequest,
  VaspsResponse,
} from './schema.ts';

export const vaspEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/vasps', {
    access: 'vasp or operator',
    summary: 'List the registered VASPs',
    query: RegisteredVaspsQuery,
    response: VaspsResponse,
    run: ({ query }, caller) => listVasps(deps, query, caller),
  }),
  control.put('/sandbox/v1/vasps/:vaspId', {
    summary: 'Register a VASP, or replace its registration',
    body: VaspRequest,
    refusals: ['not-found', 'address-not-allowed'],
    response: RegisteredVasp,
    run: ({ body, params }, caller) => registerVasp(deps, params.vaspId, body, caller),
  }),
  control.patch('/sandbox/v1/vasps/:vaspId', {
    summary: 'Change a registration; members that are left out stay as they are',
    body: VaspPatch,
    refusals: ['not-found', 'address-not-allowed'],
    response: RegisteredVasp,
    examples: { default: { params: LOCAL_VASP, body: { authorization: { token: 'my-token' } } } },
    run: ({ body, params }, caller) => changeVasp(deps, params.vaspId, body, caller),
  }),
];

type Json = { [member: string]: unknown };

/** Members that the patch leaves out stay as they are. Throws `Refusal` not-found, unauthorized, invalid-field. */
function changeVasp(deps: SandboxDeps, vaspId: string, patch: z.output<typeof VaspPatch>, caller: CallerId) {
  const { name, endpoints, authorization, providerKeys } = ownVasp(deps, vaspId, caller);
  const merged = mergePatch({ name, endpoints, authorization, providerKeys }, patch);
  return registerVasp(deps, vaspId, parse(VaspRequest, merged), caller);
}

/** RFC 7396. */
function mergePatch(target: Json, patch: Json): Json {
  const merged = { ...target };
  for (const [member, value] of Object.entries(patch))
    merged[member] =
      typeof value === 'object' && value !== null
        ? mergePatch((target[member] ?? {}) as Json, value as Json)
        : (value ?? undefined);
  return merged;
}
