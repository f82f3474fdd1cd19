import { type RESULTS, type Verdict, verdict } from '../../contract/clauses.ts';
import type { NearMiss } from '../../contract/text.ts';
import type { AnsweredBeneficiary } from '../../contract/vasp-api.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { insertMoved, transition } from '../../db/transition.ts';
import type { NewFinding } from '../../findings/store.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Outcome } from '../../timers/registry.ts';
import { enqueue } from '../callbacks/enqueue.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { addFindings } from '../findings/findings.ts';
import { type VerificationEvent, verificationStatus } from './machine.ts';
import { vaspPerson } from './read.ts';
import { scheduleTimeOut } from './schedule-time-out.ts';
import type { NewVerification, Verification } from './store.ts';
import * as verifications from './store.ts';

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
  if (deps.foreign) endCopy(deps, tx, row);
  else enqueueResult(deps, tx, row, completion);
}

/** The enclave that leads sends the result. What it made of an answer of the resident VASP is looked up by the timer. */
function endCopy(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  if (row.beneficiaryVaspId === deps.residentVaspId) scheduleTimeOut(deps, tx, row);
  afterCommit(tx, () => deps.waiters.wake(row.uuid));
}

function enqueueResult(
  deps: EnclaveDeps,
  tx: Tx,
  row: Verification,
  { verdict: { result, reason, message }, beneficiary }: Completion,
): void {
  enqueue(deps, tx, row, {
    receiverVaspId: row.originatingVaspId,
    callbackType: 'VERIFICATION_RESULT',
    data: {
      verificationUuid: row.uuid,
      verificationResult: result,
      reason,
      message,
      ivms101: beneficiary === undefined ? sentInformation(row) : { beneficiary },
    },
  });
}

const isAsSent = ({ ivms101Beneficiary }: NewVerification, answered: AnsweredBeneficiary | undefined): boolean =>
  answered === undefined || JSON.stringify(answered) === JSON.stringify(ivms101Beneficiary);

/** WIRE-3.4: any other result returns the information as it was sent. */
const sentInformation = (row: Verification) => ({
  originator: row.ivms101Originator,
  beneficiary: row.ivms101Beneficiary,
  originatingVASP: vaspPerson(row.originatingVaspName),
  beneficiaryVASP: vaspPerson(row.beneficiaryVaspName),
});

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
