import type * as z from 'zod';
import { parse } from '../../contract/parse.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { SandboxDeps } from '../deps.ts';
import { ownVasp, registerVasp } from './register.ts';
import { type VaspPatch, VaspRequest } from './schema.ts';

type Json = { [member: string]: unknown };

/** Members that the patch leaves out stay as they are. Throws `Refusal` not-found, unauthorized, invalid-field. */
export function changeVasp(
  deps: SandboxDeps,
  vaspId: string,
  patch: z.output<typeof VaspPatch>,
  caller: CallerId,
) {
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
