import { refusals } from '../../contract/refusals.ts';
import { asCaller, type CallerId } from '../../contract/tenancy.ts';
import { bearerKey } from '../../http/caller.ts';
import type { VaspStore } from './store.ts';

/** D-01: a key names a registered VASP. Without credentials the caller is the tested VASP. Throws `Refusal` unauthorized. */
export function authenticate(store: VaspStore, localVaspId: string, authorization: string | undefined): CallerId {
  if (authorization === undefined) return asCaller(localVaspId);
  const apiKey = bearerKey(authorization);
  const vaspId = apiKey === undefined ? undefined : store.findIdByApiKey(apiKey);
  if (vaspId === undefined) throw refusals.unauthorized();
  return asCaller(vaspId);
}
