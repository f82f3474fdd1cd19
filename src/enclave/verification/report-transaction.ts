import { refusals } from '../../contract/refusals.ts';
import type { Accepted, ReportTransactionRequest } from '../../contract/requests.ts';
import { record } from '../../db/history.ts';
import { write } from '../../db/transaction.ts';
import { enqueue } from '../callbacks/enqueue.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';

/** WIRE-2.7, D-14: stores the hash and tells the beneficiary VASP. The same report again changes nothing. */
export function reportTransaction(
  deps: EnclaveDeps,
  { verificationUuid: uuid, txHash, vout }: ReportTransactionRequest,
  caller: string,
): Accepted {
  const row = deps.verifications.find(uuid);
  if (!row) throw refusals.verificationMissing(uuid);
  if (row.originatingVaspId !== caller) throw refusals.notOriginator();
  if (row.status !== 'VERIFIED') throw refusals.notVerified(uuid);
  if (row.txHash === txHash && row.vout === (vout ?? null)) return { result: true };
  if (row.isCredited) throw refusals.alreadyReported(uuid);
  const at = deps.clock.now(clockOwner(deps, caller, row.beneficiaryVaspId));
  write(deps.db, tx => {
    deps.verifications.patch(tx, row.id, { txHash, vout: vout ?? null, orderedAt: at });
    record(tx, {
      machine: 'verification',
      rowKey: String(row.id),
      verificationUuid: uuid,
      from: row.status,
      event: 'transaction-reported',
      to: row.status,
      at,
      cause: row.txHash === null ? `the transaction is ${txHash}` : `${txHash} replaces ${row.txHash}`,
    });
    enqueue(deps, tx, row, {
      receiverVaspId: row.beneficiaryVaspId,
      callbackType: 'TX_REPORT',
      data: { verificationUuid: uuid, txHash, ...(vout === undefined ? {} : { vout }) },
    });
  });
  return { result: true };
}
