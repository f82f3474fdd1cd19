import type { RegisteredVasp as Stored } from '../../enclave/control.ts';
import { maskedUrl } from '../../kernel/masked-url.ts';
import type { SandboxDeps } from '../deps.ts';
import { PROVIDER_KEYS } from './schema.ts';

export const listVasps = (deps: SandboxDeps) => ({ vasps: deps.enclave.listVasps().map(presentVasp) });

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
