import { isDeepStrictEqual } from 'node:util';
import type { AssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type {
  Accepted,
  InquireTransactionRequest,
  ReportErrorRequest,
  ReportTransactionRequest,
} from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { TransactionStatusResult } from '../../contract/verification.ts';
import { groupCommit, type Tx, write } from '../../db/transaction.ts';
import { recordEvent, transition } from '../../db/transition.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { enqueue } from '../callbacks/deliver.ts';
import * as callbacks from '../callbacks/store.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { addFindings } from '../findings/findings.ts';
import { complete, requireForAction } from './complete.ts';
import { verificationStatus } from './machine.ts';
import type { Verification } from './store.ts';
import * as verifications from './store.ts';

/**
 * WIRE-2.7, D-14: stores the hash and calls the beneficiary VASP back. A repeated report changes nothing, nor does one that
 * writes the hash of a credited deposit as its node prints it.
 */
export function reportTransaction(
  deps: EnclaveDeps,
  { verificationUuid: uuid, txHash, vout }: ReportTransactionRequest,
  caller: CallerId,
): Accepted {
  const row = requireForAction(deps, uuid, caller);
  if (row.originatingVaspId !== caller) throw refusals.notOriginator();
  if (row.status !== 'VERIFIED') throw refusals.notVerified(uuid);
  const at = nowFor(deps, caller, row.beneficiaryVaspId);
  const isOther = row.txHash !== txHash && (!row.isCredited || row.txHash?.toLowerCase() !== txHash.toLowerCase());
  if (!isOther && row.vout === (vout ?? null)) {
    const of = { verificationUuid: uuid, vaspId: caller, at };
    const repeated = { code: 'REPORT-REPEATED', field: 'txHash', expected: 'one report for each transaction' } as const;
    const isExcused = deps.faults.hasSpoiled(uuid, 'report-transaction');
    write(deps.db, tx => addFindings(deps, tx, of, () => (isExcused ? [] : [{ ...repeated, got: txHash }])));
    return { result: true };
  }
  const queue = { verificationUuid: uuid, receiverVaspId: row.beneficiaryVaspId };
  if (caller !== deps.residentVaspId && callbacks.countOf(deps.db, queue, 'TX_REPORT') >= MAX_REPORTS)
    throw refusals.tooManyReports(MAX_REPORTS);
  // A status answer may have named the transaction before, and the deposit is credited: this is the first report then.
  if (row.isCredited && row.txHash !== null) throw refusals.alreadyReported(uuid);
  write(deps.db, tx => {
    countReport(deps, tx, row);
    verifications.patch(tx, row.id, { txHash, vout: vout ?? null, orderedAt: at });
    const cause = `the originating VASP reported ${txHash}${row.txHash === null ? '' : ` instead of ${row.txHash}`}`;
    recordEvent(tx, verificationStatus, row, 'transaction-reported', { at, cause });
    enqueue(deps, tx, row, {
      receiverVaspId: row.beneficiaryVaspId,
      callbackType: 'TX_REPORT',
      data: { verificationUuid: uuid, txHash, ...(vout === undefined ? {} : { vout }) },
    });
  });
  return { result: true };
}

/** The robot bounds what it sends, and takes what comes. */
function countReport(deps: EnclaveDeps, tx: Tx, { originatingVaspId, beneficiaryVaspId }: Verification): void {
  if (![originatingVaspId, beneficiaryVaspId].includes(deps.residentVaspId))
    deps.beforeReporting(tx, originatingVaspId);
}

/** Different ones, of one verification. */
const MAX_REPORTS = 50;

/** WIRE-2.8, D-15: the transfer is cancelled for good. A repeated report changes nothing. */
export function reportError(
  deps: EnclaveDeps,
  { verificationUuid: uuid, result, reason, message = '' }: ReportErrorRequest,
  caller: CallerId,
): Accepted {
  const row = requireForAction(deps, uuid, caller);
  if (row.originatingVaspId !== caller) throw refusals.notOriginator();
  const errorReport = { result, reason, message };
  if (isDeepStrictEqual(row.errorReport, errorReport)) return { result: true };
  if (row.status !== 'VERIFIED') throw refusals.notVerified(uuid);
  if (row.isCredited) throw refusals.alreadyReported(uuid);
  const at = nowFor(deps, caller, row.beneficiaryVaspId);
  write(deps.db, tx => {
    countReport(deps, tx, row);
    transition(tx, verificationStatus, row, 'error-reported', {
      patch: { reason, message, errorReport },
      at,
      cause: `the originating VASP reported ${result} / ${reason}`,
    });
    enqueue(deps, tx, row, {
      receiverVaspId: row.beneficiaryVaspId,
      callbackType: 'ERROR_REPORT',
      data: { verificationUuid: uuid, ...errorReport },
    });
  });
  return { result: true };
}

/**
 * D-33: the chain of `symbol` started over. Its open verifications end as ERROR, and so do those of the resident VASP
 * that are VERIFIED but unpaid. `isPaid`: the resident VASP has paid a verification. Returns how many have ended.
 */
export function endVerificationsOn(
  deps: EnclaveDeps,
  tx: Tx,
  symbol: AssetSymbol,
  message: string,
  isPaid: (verificationUuid: string) => boolean,
): number {
  const isConcerned = ({ status, originatingVaspId, beneficiaryVaspId }: Verification) =>
    status === 'OPEN' || [originatingVaspId, beneficiaryVaspId].includes(deps.residentVaspId);
  const unpaid = verifications.unpaidOn(tx, symbol).filter(row => isConcerned(row) && !isPaid(row.uuid));
  for (const row of unpaid) end(deps, tx, row, message);
  return unpaid.length;
}

function end(deps: EnclaveDeps, tx: Tx, row: Verification, message: string): void {
  const verdict = { result: 'ERROR', reason: 'UNDEFINED-ERROR', message } as const;
  if (row.status === 'OPEN') {
    // No answer counts any more.
    deps.timers.cancel(tx, 'enclave.verification.ask', row.uuid);
    return complete(deps, tx, row, { verdict });
  }
  if (row.originatingVaspId === deps.residentVaspId)
    return void reportError(deps, { verificationUuid: row.uuid, ...verdict }, deps.residentVaspId);
  transition(tx, verificationStatus, row, 'chain-restarted', {
    patch: { reason: verdict.reason, message },
    at: nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId),
    cause: message,
  });
}

/** D-14, D-15: once the deposit is credited, reports are refused. */
export function setCredited(deps: EnclaveDeps, uuid: string, isCredited: boolean, caller: CallerId): void {
  const row = verifications.find(deps.db, uuid);
  if (row?.beneficiaryVaspId !== caller) throw refusals.verificationMissing(uuid);
  write(deps.db, tx => verifications.patch(tx, row.id, { isCredited }));
}

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
