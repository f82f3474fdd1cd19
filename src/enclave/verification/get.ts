import { refusals } from '../../contract/refusals.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import type { EnclaveDeps } from '../deps.ts';
import { present } from './present.ts';
import type { Verification } from './store.ts';

/** REF-4.4: only the two VASPs of a verification learn that it exists. */
export function requireVerification(deps: EnclaveDeps, uuid: string, caller: string): Verification {
  const row = deps.verifications.find(uuid);
  if (!row || (row.originatingVaspId !== caller && row.beneficiaryVaspId !== caller))
    throw refusals.verificationMissing(uuid);
  return row;
}

export const get = (deps: EnclaveDeps, uuid: string, caller: string): VerificationResult =>
  present(requireVerification(deps, uuid, caller));
