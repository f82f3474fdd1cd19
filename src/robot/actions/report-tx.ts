import type { Accepted, ReportTransactionRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RobotDeps } from '../deps.ts';
import { requireOriginated } from './require-originated.ts';

/** REF-4.6 POST /action/verifications/tx: sends a transaction report, also with a hash that exists on no chain. */
export function reportTx(
  deps: Pick<RobotDeps, 'enclave' | 'vaspId'>,
  request: ReportTransactionRequest,
  caller: CallerId,
): Accepted {
  requireOriginated(deps, request.verificationUuid, caller);
  return deps.enclave.reportTransaction(request, deps.vaspId);
}
