import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import type { VaspTransactionStatusRequest } from '../../contract/vasp-api.ts';
import { BadAnswer } from '../../vasps/port.ts';
import type { RobotDeps } from '../deps.ts';

/** WIRE-3.3, REF-2.4: where the robot's own transfer really stands. Before a withdrawal was asked for it is PENDING. */
export function transactionStatus(
  deps: RobotDeps,
  { verificationUuid }: VaspTransactionStatusRequest,
): TransactionStatusResult {
  const transfer = deps.transfers.find(verificationUuid);
  if (transfer)
    return {
      verificationUuid,
      transactionStatus: transfer.status as TransactionStatusResult['transactionStatus'],
      ...(transfer.txHash === null ? {} : { txHash: transfer.txHash }),
    };
  const verification = lookUp(deps, verificationUuid);
  if (verification?.originatingVaspId !== deps.vaspId)
    throw new BadAnswer('The robot is not the originating VASP of this verification.');
  const transactionStatus = verification.result === 'VERIFIED' ? 'PENDING' : 'CANCELED';
  return { verificationUuid, transactionStatus };
}

/** Undefined: the enclave does not know it, e.g. after a reset. */
function lookUp(deps: RobotDeps, verificationUuid: string) {
  try {
    return deps.enclave.get(verificationUuid, deps.vaspId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
