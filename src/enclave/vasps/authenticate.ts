import { refusals } from '../../contract/refusals.ts';
import type { VaspStore } from './store.ts';

/** D-01: without credentials the caller is the tested VASP; a key names a registered one; an unknown key nobody. */
export function authenticate(
  store: VaspStore,
  localVaspId: string,
  authorization: string | undefined,
): string {
  if (authorization === undefined) return localVaspId;
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const vaspId = apiKey === undefined ? undefined : store.findIdByApiKey(apiKey);
  if (vaspId === undefined) throw refusals.unauthorized();
  return vaspId;
}
