import type { Accepted, ReportErrorRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RobotDeps } from '../deps.ts';
import { requireOriginated } from './require-originated.ts';

/** REF-4.6 POST /action/verifications/error: sends an error report with any result, reason and message. */
export function reportError(
  deps: Pick<RobotDeps, 'enclave' | 'vaspId'>,
  request: ReportErrorRequest,
  caller: CallerId,
): Accepted {
  requireOriginated(deps, request.verificationUuid, caller);
  return deps.enclave.reportError(request, deps.vaspId);
}
