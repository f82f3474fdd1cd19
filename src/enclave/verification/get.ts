import { refusals } from '../../contract/refusals.ts';
import type { ListQuery, ListResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import type { EnclaveDeps } from '../deps.ts';
import { page } from './list-store.ts';
import { present } from './present.ts';
import type { Verification } from './store.ts';
import * as verifications from './store.ts';

/** REF-4.4: only the two VASPs of a verification learn that it exists. */
export function requireVerification(deps: EnclaveDeps, uuid: string, caller: CallerId): Verification {
  const row = verifications.findOf(deps.db, uuid, caller);
  if (!row) throw refusals.verificationMissing(uuid);
  return row;
}

/**
 * REF-7: a VASP that has another part, or none, is told VASP-NOT-MATCHED by the operation. In hosted mode a verification
 * of others does not exist.
 */
export function requireForAction(deps: EnclaveDeps, uuid: string, caller: CallerId): Verification {
  if (deps.isHosted) return requireVerification(deps, uuid, caller);
  const row = verifications.find(deps.db, uuid);
  if (!row) throw refusals.verificationMissing(uuid);
  return row;
}

export const get = (deps: EnclaveDeps, uuid: string, caller: CallerId): VerificationResult =>
  present(requireVerification(deps, uuid, caller));

/** WIRE-2.5, D-04: newest first. Throws `Refusal` invalid-field. */
export function list(deps: EnclaveDeps, query: ListQuery, caller: CallerId): ListResponse {
  const { count, rows } = page(deps.db, query, caller);
  return { count, page: query.page, rpp: query.rpp, verifications: rows.map(present) };
}
