import { createHash } from 'node:crypto';
import { isAssetSymbol } from '../../contract/assets.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import type { VaspTransactionStatusRequest } from '../../contract/vasp-api.ts';
import { BadAnswer } from '../../vasps/port.ts';
import * as deposits from '../deposit/store.ts';
import type { RobotDeps } from '../deps.ts';
import * as attempts from './attempt-store.ts';
import * as transfers from './store.ts';
import type { Transfer } from './transfer.ts';

/** WIRE-3.3, REF-2.4: the status of the robot's transfer. PENDING where no withdrawal was requested yet. */
export async function transactionStatus(
  deps: RobotDeps,
  { verificationUuid }: VaspTransactionStatusRequest,
): Promise<TransactionStatusResult> {
  const transfer = transfers.find(deps.db, verificationUuid);
  if (transfer) {
    const txHash = namedHash(deps, transfer);
    return { verificationUuid, transactionStatus: transfer.status, ...(txHash === null ? {} : { txHash }) };
  }
  const verification = lookUp(deps, verificationUuid);
  if (verification?.originatingVaspId !== deps.vaspId)
    throw new BadAnswer('The robot is not the originating VASP of this verification.');
  if (verification.result === 'VERIFIED' && (await isMisnamed(deps, verification)))
    return { verificationUuid, transactionStatus: 'CONFIRMED', txHash: anotherTransaction(deps, verification) };
  const transactionStatus = verification.result === 'VERIFIED' ? 'PENDING' : 'CANCELED';
  return { verificationUuid, transactionStatus };
}

type Verification = NonNullable<ReturnType<typeof lookUp>>;

async function isMisnamed(
  deps: RobotDeps,
  { beneficiaryVaspId, originatorAccountNumber, assetInfo: { symbol } }: Verification,
): Promise<boolean> {
  if (!isAssetSymbol(symbol)) return false;
  const users = await deps.users.of(beneficiaryVaspId);
  return users.find(symbol, originatorAccountNumber)?.behaviour === 'TRANSFER-MISNAMED';
}

const NEWEST = 100;

/**
 * The transaction that was reported for it, or that by which the VASP has paid the robot; without one, a hash in the form
 * of its chain that no transaction has.
 */
function anotherTransaction(
  deps: RobotDeps,
  { beneficiaryVaspId, verificationUuid, assetInfo: { symbol }, txHash }: Verification,
): string {
  if (txHash) return txHash;
  const credited = deposits.visibleTo(deps.db, beneficiaryVaspId, { limit: NEWEST, status: 'CREDITED' });
  const payment = credited.find(each => each.symbol === symbol);
  if (payment) return payment.txHash;
  const hash = createHash('sha256').update(verificationUuid).digest('hex');
  return symbol === 'ETH' ? `0x${hash}` : hash.toUpperCase();
}

/** The hash for the other VASP: of a block, or the newest that a node has taken. Null: none yet. */
export function namedHash(deps: Pick<RobotDeps, 'db'>, { verificationUuid, status, txHash }: Transfer): string | null {
  if (status === 'WAIT-CONFIRM' || status === 'CONFIRMED') return txHash;
  const accepted = attempts.of(deps.db, verificationUuid).filter(attempt => attempt.isAccepted);
  return accepted.at(-1)?.hash ?? null;
}

/** Undefined: the enclave has no such verification, for example after a reset. */
export function lookUp(deps: Pick<RobotDeps, 'enclave' | 'vaspId'>, verificationUuid: string) {
  try {
    return deps.enclave.get(verificationUuid, deps.vaspId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
