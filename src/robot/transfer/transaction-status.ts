import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import type { VaspTransactionStatusRequest } from '../../contract/vasp-api.ts';
import { BadAnswer } from '../../vasps/port.ts';
import type { RobotDeps } from '../deps.ts';
import type { Transfer } from './store.ts';

/** WIRE-3.3, REF-2.4: the status of the robot's transfer. PENDING where no withdrawal was requested yet. */
export function transactionStatus(
  deps: RobotDeps,
  { verificationUuid }: VaspTransactionStatusRequest,
): TransactionStatusResult {
  const transfer = deps.transfers.find(verificationUuid);
  if (transfer) {
    const txHash = namedHash(deps, transfer);
    return {
      verificationUuid,
      transactionStatus: transfer.status,
      ...(txHash === null ? {} : { txHash }),
    };
  }
  const verification = lookUp(deps, verificationUuid);
  if (verification?.originatingVaspId !== deps.vaspId)
    throw new BadAnswer('The robot is not the originating VASP of this verification.');
  const transactionStatus = verification.result === 'VERIFIED' ? 'PENDING' : 'CANCELED';
  return { verificationUuid, transactionStatus };
}

/** The hash for the other VASP: of a block, or the newest that a node has taken. Null: none yet. */
export function namedHash(deps: RobotDeps, { verificationUuid, status, txHash }: Transfer): string | null {
  if (status === 'WAIT-CONFIRM' || status === 'CONFIRMED') return txHash;
  const accepted = deps.transfers.attemptsOf(verificationUuid).filter(attempt => attempt.isAccepted);
  return accepted.at(-1)?.hash ?? null;
}

/** Undefined: the enclave has no such verification, for example after a reset. */
function lookUp(deps: RobotDeps, verificationUuid: string) {
  try {
    return deps.enclave.get(verificationUuid, deps.vaspId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
