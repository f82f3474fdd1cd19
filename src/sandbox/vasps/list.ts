import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RegisteredVasp as Stored } from '../../enclave/control.ts';
import { maskedUrl } from '../../kernel/secrets.ts';
import type { SandboxDeps } from '../deps.ts';
import { PROVIDER_KEYS, type RegisteredVaspsQuery } from './schema.ts';

/**
 * The caller comes first. In hosted mode it is the only one; of the others `/v1/vasps` tells ids and names. A position is
 * the number of VASPs before it: a registration is never removed.
 */
export function listVasps(
  { enclave, isHosted }: SandboxDeps,
  { limit, after = 0 }: z.output<typeof RegisteredVaspsQuery>,
  caller: CallerId,
) {
  const own = enclave.findVasp(caller);
  const end = after + limit;
  const registered = isHosted ? (own ? [own] : []) : enclave.listVasps();
  const others = registered.slice(0, end).filter(({ vaspId }) => vaspId !== caller);
  const first = own ? [own, ...others] : others;
  return {
    vasps: first.slice(after, end).map(presentVasp),
    next: end < registered.length ? String(end) : null,
    total: registered.length,
  };
}

export const maskedEndpoints = (endpoints: Stored['endpoints']): Stored['endpoints'] =>
  Object.fromEntries(Object.entries(endpoints).map(([name, url]) => [name, url && maskedUrl(url)]));

/** Never the token, never a key, and no password in an address. */
export const presentVasp = ({ vaspId, name, endpoints, authorization, providerKeys, health }: Stored) => ({
  vaspId,
  name,
  endpoints: maskedEndpoints(endpoints),
  authorization: { header: authorization.header, hasToken: authorization.token !== undefined },
  providerKeys: PROVIDER_KEYS.filter(key => providerKeys?.[key] !== undefined),
  health,
});
