import { refusals } from '../../contract/refusals.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import type { EnclaveDeps } from '../deps.ts';
import { present } from './present.ts';

/** REF-4.4: only the two VASPs of a verification learn that it exists. */
export function get(deps: EnclaveDeps, uuid: string, caller: string): VerificationResult {
  const row = deps.verifications.find(uuid);
  if (!row || (row.originatingVaspId !== caller && row.beneficiaryVaspId !== caller))
    throw refusals.verificationMissing(uuid);
  return present(row);
}
