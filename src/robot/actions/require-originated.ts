import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import type { RobotDeps } from '../deps.ts';

/** D-21: a verification that the robot originated to the caller. Throws `Refusal` verification-missing, not-originator. */
export function requireOriginated(deps: RobotDeps, verificationUuid: string, caller: CallerId): VerificationResult {
  const verification = deps.enclave.get(verificationUuid, caller);
  if (verification.originatingVaspId !== deps.vaspId) throw refusals.notOriginator('The robot is');
  return verification;
}
