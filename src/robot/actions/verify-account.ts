import { refusals } from '../../contract/refusals.ts';
import type { VerifyAccountRequest, VerifyAccountResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RobotDeps } from '../deps.ts';

/** REF-4.6 POST /action/verifications/account: the robot verifies an account of the caller. Any symbol is passed on. */
export async function verifyAccount(
  deps: Pick<RobotDeps, 'enclave' | 'vaspId'>,
  request: VerifyAccountRequest,
  caller: CallerId,
): Promise<VerifyAccountResponse> {
  if (request.beneficiaryVaspId !== caller) throw refusals.unknownVasp();
  return deps.enclave.verifyAccount(request, deps.vaspId);
}
