import { refusals } from '../../contract/refusals.ts';
import type { InquireTransactionRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import { inquireNow } from '../deposit/inquire.ts';
import type { CreditDeps, RobotDeps } from '../deps.ts';

/** REF-4.6 POST /action/tx/inquiry: the robot queries the status at once, not after the waiting time. D-20, D-21 */
export async function inquireTx(
  deps: CreditDeps & Pick<RobotDeps, 'chain' | 'db' | 'inquiry' | 'reconciliation' | 'users'>,
  { verificationUuid }: InquireTransactionRequest,
  caller: CallerId,
): Promise<TransactionStatusResult> {
  const verification = deps.enclave.get(verificationUuid, caller);
  if (verification.beneficiaryVaspId !== deps.vaspId) throw refusals.notBeneficiary('The robot is');
  return inquireNow(deps, verificationUuid);
}
