import { refusals } from '../../contract/refusals.ts';
import type { InquireTransactionRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import { groupCommit } from '../../db/group-commit.ts';
import { recordEvent } from '../../db/transition.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { requireForAction } from './get.ts';
import { verificationStatus } from './machine.ts';
import type { Verification } from './store.ts';
import * as verifications from './store.ts';

/** REF-4.5: asks the originating VASP. No answer, or one out of shape, is refused with 408 (D-16).
 * A suspended VASP is not asked. */
export async function inquireTransaction(
  deps: EnclaveDeps,
  { verificationUuid: uuid }: InquireTransactionRequest,
  caller: CallerId,
): Promise<TransactionStatusResult> {
  const row = requireForAction(deps, uuid, caller);
  if (row.beneficiaryVaspId !== caller) throw refusals.notBeneficiary();
  if (row.status !== 'VERIFIED' && row.errorReport === null) throw refusals.notVerified(uuid);
  if (!deps.vasps.isActive(row.originatingVaspId)) throw refusals.vaspNotActive();
  try {
    const answer = await deps.directory.find(row.originatingVaspId)!.transactionStatus({ verificationUuid: uuid });
    if (answer.verificationUuid !== uuid) throw new BadAnswer('The VASP answered for another verification.');
    await recordInquiry(deps, row, `${answer.transactionStatus}${answer.txHash ? ` ${answer.txHash}` : ''}`);
    return answer;
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
    await recordInquiry(deps, row, error.message);
    throw error instanceof NoAnswer ? refusals.noAnswer(error.timeoutMs) : refusals.enclaveFailed(error.message);
  }
}

function recordInquiry(deps: EnclaveDeps, row: Verification, cause: string): Promise<void> {
  const at = nowFor(deps, row.beneficiaryVaspId, row.originatingVaspId);
  return groupCommit(deps.db, tx => {
    // It may have been deleted while the VASP was asked.
    if (verifications.find(tx, row.uuid))
      recordEvent(tx, verificationStatus, row, 'transaction-inquired', { at, cause });
  });
}
