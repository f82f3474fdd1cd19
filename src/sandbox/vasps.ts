import type * as z from 'zod';
import { parse } from '../contract/parse.ts';
import { refusals } from '../contract/refusals.ts';
import { VaspId } from '../contract/text.ts';
import { write } from '../db/transaction.ts';
import type { RegisteredVasp as Stored } from '../enclave/vasps/store.ts';
import { PROVIDER_KEYS, type VaspPatch, VaspRequest } from './api/vasps.ts';
import type { SandboxDeps } from './deps.ts';

type Json = { [member: string]: unknown };
const FOREIGN_VASP = 'This is another VASP: it acts with its own API key.';

/** The registration of the caller itself. Throws `Refusal` not-found, unauthorized. */
export function ownVasp({ enclave }: SandboxDeps, vaspId: string, caller: string): Stored {
  const known = enclave.vasps.find(vaspId);
  if (!known) throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  if (vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  return known;
}

/** Registers a VASP (its `apiKey` is shown this once) or changes one, which only that VASP itself may do. */
export function registerVasp(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  caller: string,
) {
  if (!VaspId.safeParse(vaspId).success)
    throw refusals.invalidField('vaspId', 'should be decimal text that fits an unsigned 64-bit number');
  const { vasps } = deps.enclave;
  const known = vasps.find(vaspId);
  if (known && vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  const now = deps.clock.now(vaspId);
  const apiKey = known ? undefined : `rv_${deps.ids.secret()}`;
  write(deps.db, tx =>
    vasps.save(
      tx,
      {
        vaspId,
        name: request.name,
        endpoints: request.endpoints,
        authorization: request.authorization ?? { header: 'Authorization' },
        ...(request.providerKeys ? { providerKeys: request.providerKeys } : {}),
        isActive: true,
        createdAt: known?.createdAt ?? now,
        updatedAt: Math.max(now, (known?.updatedAt ?? 0) + 1),
      },
      apiKey,
    ),
  );
  return { ...present(vasps.find(vaspId)!), ...(apiKey === undefined ? {} : { apiKey }) };
}

/** Changes what the patch names; a token or a key that it leaves out stays. */
export function changeVasp(
  deps: SandboxDeps,
  vaspId: string,
  patch: z.output<typeof VaspPatch>,
  caller: string,
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

export const listVasps = (deps: SandboxDeps) => ({ vasps: deps.enclave.vasps.all().map(present) });

/** Never the token, never a key. */
const present = ({ vaspId, name, endpoints, authorization, providerKeys, health }: Stored) => ({
  vaspId,
  name,
  endpoints,
  authorization: { header: authorization.header, hasToken: authorization.token !== undefined },
  providerKeys: PROVIDER_KEYS.filter(key => providerKeys?.[key] !== undefined),
  health,
});
