import type * as z from 'zod';
import { parse } from '../../contract/parse.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listVasps } from './list.ts';
import { ownVasp, registerVasp } from './register.ts';
import { LOCAL_VASP, type VaspPatch, VaspRequest, vaspCalls } from './schema.ts';

export const vaspEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(vaspCalls.registeredVasps, {
    access: 'vasp or operator',
    summary: 'List the registered VASPs',
    run: ({ query }, caller) => listVasps(deps, query, caller),
  }),
  control(vaspCalls.registerVasp, {
    summary: 'Register a VASP, or replace its registration',
    refusals: ['not-found', 'address-not-allowed'],
    run: ({ body, params }, caller) => registerVasp(deps, params.vaspId, body, caller),
  }),
  control(vaspCalls.changeVasp, {
    summary: 'Change a registration; members that are left out stay as they are',
    refusals: ['not-found', 'address-not-allowed'],
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
