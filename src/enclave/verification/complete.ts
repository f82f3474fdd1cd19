import { type RESULTS, type Verdict, verdict } from '../../contract/clauses.ts';
import { vaspPerson } from '../../contract/ivms101.ts';
import { refusals } from '../../contract/refusals.ts';
import type { ListQuery, ListResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { NearMiss } from '../../contract/text.ts';
import type { AnsweredBeneficiary } from '../../contract/vasp-api.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { insertMoved, transition } from '../../db/transition.ts';
import { keptResult } from '../../db/whole-exchanges.ts';
import type { NewFinding } from '../../findings/store.ts';
import { toIso } from '../../kernel/clock.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { pick } from '../../kernel/members.ts';
import type { Outcome } from '../../timers/registry.ts';
import { enqueue } from '../callbacks/deliver.ts';
import { clockOwner, type EnclaveDeps, nowFor } from '../deps.ts';
import { addFindings } from '../findings/findings.ts';
import { type VerificationEvent, verificationStatus } from './machine.ts';
import { page } from './search-store.ts';
import type { NewVerification, Verification } from './store.ts';
import * as verifications from './store.ts';

/** REF-4.4: only the two VASPs of a verification learn that it exists. */
export function requireVerification(deps: EnclaveDeps, uuid: string, caller: CallerId): Verification {
  const row = verifications.findOf(deps.db, uuid, caller);
  if (!row) throw refusals.verificationMissing(uuid);
  return row;
}

/**
 * REF-7: a VASP that has another part, or none, is told VASP-NOT-MATCHED by the operation. In hosted mode a verification
 * of others does not exist.
 */
export function requireForAction(deps: EnclaveDeps, uuid: string, caller: CallerId): Verification {
  if (deps.isHosted) return requireVerification(deps, uuid, caller);
  const row = verifications.find(deps.db, uuid);
  if (!row) throw refusals.verificationMissing(uuid);
  return row;
}

export const get = (deps: EnclaveDeps, uuid: string, caller: CallerId): VerificationResult =>
  present(requireVerification(deps, uuid, caller));

/** WIRE-2.5, D-04: newest first. Throws `Refusal` invalid-field. */
export function list(deps: EnclaveDeps, query: ListQuery, caller: CallerId): ListResponse {
  const { count, rows } = page(deps.db, query, caller);
  return { count, page: query.page, rpp: query.rpp, verifications: rows.map(present) };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

/** REF-2.2. An open verification has no result and no reason (D-02). */
const present = (row: Verification): VerificationResult => ({
  verificationId: String(row.id),
  verificationUuid: row.uuid,
  ...(row.status === 'OPEN' ? {} : { result: row.status, reason: row.reason! }),
  message: row.message,
  assetInfo: assetInfoOf(row),
  ...pick(row, 'txHash', 'vout', 'originatingVaspId', 'originatorAccountNumber'),
  ivms101Originator: JSON.stringify(row.ivms101Originator),
  ivms101OriginatingVasp: JSON.stringify(vaspPerson(row.originatingVaspName)),
  ...pick(row, 'beneficiaryVaspId', 'beneficiaryAccountNumber'),
  ivms101Beneficiary: JSON.stringify(row.ivms101Answer ?? row.ivms101Beneficiary),
  ivms101BeneficiaryVasp: JSON.stringify(vaspPerson(row.beneficiaryVaspName)),
  verifiedAt: isoOrNull(row.verifiedAt),
  orderedAt: isoOrNull(row.orderedAt),
  createdAt: toIso(row.createdAt),
});

export const assetInfoOf = (row: NewVerification): VerificationResult['assetInfo'] => ({
  symbol: row.symbol,
  ...(row.network == null ? {} : { network: row.network }),
  ...pick(row, 'amount', 'isExceedingThreshold', 'tradePrice', 'tradeCurrency', 'tradeISODatetime'),
});

/** D-12 */
export function scheduleTimeOut(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  deps.timers.schedule(tx, 'enclave.verification.time-out', timeOutTimer(deps, row));
}

/** The reset of a VASP has deleted its timers. Its open verifications with others get theirs again. */
export function timeOutOpen(deps: EnclaveDeps, tx: Tx, vaspId: string): void {
  for (const row of verifications.openFrom(tx, vaspId))
    deps.timers.ensure(tx, 'enclave.verification.time-out', timeOutTimer(deps, row));
}

/** Also for a copy that has ended: then the timer compares its end with that of the enclave that leads. */
const timeOutTimer = (deps: EnclaveDeps, row: Verification) => ({
  dueAt: row.createdAt + deps.timeoutMs.verifyUser,
  ...(row.status === 'OPEN' ? {} : { why: 'ask the enclave what became of the answer' }),
  ...verificationTimer(deps, row),
});

export const verificationTimer = (deps: EnclaveDeps, { uuid, originatingVaspId, beneficiaryVaspId }: Verification) => ({
  owner: clockOwner(deps, originatingVaspId, beneficiaryVaspId),
  queue: `verification ${uuid}`,
  payload: { uuid },
});

const EVENTS: { [R in keyof typeof RESULTS]: VerificationEvent } = {
  VERIFIED: 'verified',
  DENIED: 'denied',
  UNKNOWN: 'unknown',
  ERROR: 'failed',
};

/** The end of a verification. `nearMiss`: the problem that the enclave itself found in the answer. */
export interface Completion {
  verdict: Verdict;
  beneficiary?: AnsweredBeneficiary;
  nearMiss?: NearMiss;
  /** Findings on the answer of the beneficiary VASP. */
  findings?: () => readonly NewFinding[];
}

/** The first verdict counts: a verification that is no longer open stays as it is. */
export function completeOpen(deps: EnclaveDeps, tx: Tx, uuid: string, completion: Completion): void {
  const row = verifications.find(tx, uuid);
  if (row?.status === 'OPEN') complete(deps, tx, row, completion);
}

/** Ends an open verification and tells the originating VASP. */
export function complete(deps: EnclaveDeps, tx: Tx, row: Verification, completion: Completion): void {
  const event = EVENTS[completion.verdict.result];
  const ended = transition(tx, verificationStatus, row, event, endOf(deps, row, completion));
  deps.timers.cancel(tx, 'enclave.verification.time-out', row.uuid);
  tellEnd(deps, tx, ended, completion);
}

/** The same for a verification that is not stored yet: its row is inserted with its end. */
export function insertCompleted(
  deps: EnclaveDeps,
  tx: Tx,
  verification: NewVerification,
  completion: Completion,
): void {
  const event = EVENTS[completion.verdict.result];
  const end = endOf(deps, verification, completion);
  tellEnd(deps, tx, insertMoved(tx, verificationStatus, verification, event, end), completion);
}

function endOf(
  deps: EnclaveDeps,
  verification: NewVerification,
  { verdict: { reason, message }, beneficiary, nearMiss }: Completion,
) {
  const at = nowFor(deps, verification.originatingVaspId, verification.beneficiaryVaspId);
  const ivms101Answer = isAsSent(verification, beneficiary) ? null : beneficiary;
  return {
    patch: { reason, message, verifiedAt: at, ivms101Answer },
    at,
    detail: reason === 'OK' ? undefined : { reason, ...(nearMiss && { nearMiss }) },
    cause: reason === 'OK' ? undefined : `${reason}${message && `: ${message}`}`,
  };
}

function tellEnd(deps: EnclaveDeps, tx: Tx, row: Verification, completion: Completion): void {
  const { uuid, beneficiaryVaspId, verifiedAt } = row;
  const { findings = () => [] } = completion;
  addFindings(deps, tx, { verificationUuid: uuid, vaspId: beneficiaryVaspId, at: verifiedAt! }, findings);
  if (!deps.foreign) return enqueueResult(deps, tx, row, completion);
  // The enclave that leads sends the result. What it made of an answer of the resident VASP is looked up by the timer.
  if (beneficiaryVaspId === deps.residentVaspId) scheduleTimeOut(deps, tx, row);
  afterCommit(tx, () => deps.waiters.wake(uuid));
}

function enqueueResult(deps: EnclaveDeps, tx: Tx, row: Verification, { verdict }: Completion): void {
  const { result: verificationResult, reason, message } = verdict;
  const data = keptResult({ verificationResult, reason, message });
  enqueue(deps, tx, row, { receiverVaspId: row.originatingVaspId, callbackType: 'VERIFICATION_RESULT', data });
}

const isAsSent = ({ ivms101Beneficiary }: NewVerification, answered: AnsweredBeneficiary | undefined): boolean =>
  answered === undefined || JSON.stringify(answered) === JSON.stringify(ivms101Beneficiary);

/** Timer `enclave.verification.time-out`: ERROR / REQUEST-TIMEOUT (D-12). */
export const timeOut = (deps: EnclaveDeps, { uuid }: { uuid: string }): Outcome => ({
  apply: tx => completeOpen(deps, tx, uuid, timedOut(deps)),
});

export const timedOut = ({ timeoutMs }: EnclaveDeps): Completion => ({
  verdict: verdict('REQUEST-TIMEOUT'),
  nearMiss: {
    field: 'answer',
    expected: `an answer within ${formatDuration(timeoutMs.verifyUser)}`,
    got: 'no answer in time',
  },
});
