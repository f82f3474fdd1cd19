import type { RegisteredVasp as Stored } from '../../enclave/control.ts';
import { maskedUrl } from '../../kernel/masked-url.ts';
import type { SandboxDeps } from '../deps.ts';
import { PROVIDER_KEYS } from './schema.ts';

/** In hosted mode the caller's own registration alone; of the others `/v1/vasps` tells ids and names. */
export const listVasps = ({ enclave, isHosted }: SandboxDeps, caller: string) => ({
  vasps: enclave
    .listVasps()
    .filter(({ vaspId }) => !isHosted || vaspId === caller)
    .map(presentVasp),
});

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
