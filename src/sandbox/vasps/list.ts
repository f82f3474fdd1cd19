import type { RegisteredVasp as Stored } from '../../enclave/control.ts';
import type { SandboxDeps } from '../deps.ts';
import { PROVIDER_KEYS } from './schema.ts';

export const listVasps = (deps: SandboxDeps) => ({ vasps: deps.enclave.listVasps().map(presentVasp) });

/** Never the token, never a key. */
export const presentVasp = ({ vaspId, name, endpoints, authorization, providerKeys, health }: Stored) => ({
  vaspId,
  name,
  endpoints,
  authorization: { header: authorization.header, hasToken: authorization.token !== undefined },
  providerKeys: PROVIDER_KEYS.filter(key => providerKeys?.[key] !== undefined),
  health,
});
