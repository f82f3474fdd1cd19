import type { Accepted, ReportTransactionRequest } from '../../contract/requests.ts';
import type { RobotDeps } from '../deps.ts';
import { requireOriginated } from './require-originated.ts';

/** REF-4.6 POST /action/verifications/tx: a forced report, also of a hash that exists nowhere. */
export function reportTx(deps: RobotDeps, request: ReportTransactionRequest, caller: string): Accepted {
  requireOriginated(deps, request.verificationUuid, caller);
  return deps.enclave.reportTransaction(request, deps.vaspId);
}
