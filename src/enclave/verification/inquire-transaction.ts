import { refusals } from '../../contract/refusals.ts';
import type { InquireTransactionRequest } from '../../contract/requests.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import { record } from '../../db/history.ts';
import { write } from '../../db/transaction.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { Verification } from './store.ts';

/** REF-4.5: asks the originating VASP. D-16: late or faulty is 408. What came back stands in the timeline. */
export async function inquireTransaction(
  deps: EnclaveDeps,
  { verificationUuid: uuid }: InquireTransactionRequest,
  caller: string,
): Promise<TransactionStatusResult> {
  const row = deps.verifications.find(uuid);
  if (!row) throw refusals.verificationMissing(uuid);
  if (row.beneficiaryVaspId !== caller) throw refusals.notBeneficiary();
  if (row.status !== 'VERIFIED' && row.errorReport === null) throw refusals.notVerified(uuid);
  try {
    const answer = await deps.directory
      .find(row.originatingVaspId)!
      .transactionStatus({ verificationUuid: uuid });
    if (answer.verificationUuid !== uuid) throw new BadAnswer('The VASP answered for another verification.');
    note(deps, row, `${answer.transactionStatus}${answer.txHash ? ` ${answer.txHash}` : ''}`);
    return answer;
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
    note(deps, row, error.message);
    throw refusals.noAnswer(deps.timeoutMs.transactionStatus);
  }
}

function note(deps: EnclaveDeps, row: Verification, cause: string): void {
  const at = deps.clock.now(clockOwner(deps, row.beneficiaryVaspId, row.originatingVaspId));
  write(deps.db, tx =>
    record(tx, {
      machine: 'verification',
      rowKey: String(row.id),
      verificationUuid: row.uuid,
      from: row.status,
      event: 'transaction-inquired',
      to: row.status,
      at,
      cause,
    }),
  );
}
