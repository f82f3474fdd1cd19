import { type Verdict, verdict } from '../../contract/reasons.ts';
import { refusals } from '../../contract/refusals.ts';
import { keepRequestedData } from '../../contract/requested-data.ts';
import {
  isAccountNumberChanged,
  type VaspVerifyUserAnswer,
  type VaspVerifyUserRequest,
} from '../../contract/vasp-api.ts';
import { visibleNearMiss } from '../../contract/visible-text.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { BadAnswer, type Effects, isPostponed, NoAnswer, type Postponed } from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor, type OutboxDeps } from '../deps.ts';
import { answerFindings } from '../remarks/answer.ts';
import { type Completion, completeOpen } from './complete.ts';
import { verificationStatus } from './machine.ts';
import { assetInfoOf } from './present.ts';
import type { Verification } from './store.ts';

type Deps = OutboxDeps & Pick<EnclaveDeps, 'directory' | 'foreign' | 'timeoutMs' | 'vasps' | 'verifications'>;

type Ask = TimerPayloads['enclave.verification.ask'];
/** A verification, perhaps not stored yet. */
export type Questioned = Omit<Verification, 'id'>;

/** Timer `enclave.verification.ask`: asks the beneficiary VASP once. Its answer completes the verification (D-12). */
export async function askBeneficiary(
  deps: Deps,
  { uuid, answer: postponedAnswer }: Ask,
): Promise<Outcome<Ask>> {
  const row = deps.verifications.find(uuid);
  if (!row) return {};
  if (row.status !== 'OPEN') return { apply: tx => recordLateAnswer(deps, tx, row) };
  if (postponedAnswer)
    return { apply: tx => completeOpen(deps, tx, uuid, judgeAnswer(row, postponedAnswer)) };
  // It was suspended after the verification was opened. The time-out ends it.
  if (!deps.vasps.isActive(row.beneficiaryVaspId)) return {};
  const { effects, answer } = await ask(deps, row);
  const isLate = isPostponed(answer) && isTooEarly(deps, row, answer);
  return {
    ...(isLate && Number.isFinite(answer.postponedMs) ? runAgain(row, answer) : {}),
    apply(tx) {
      for (const effect of effects) effect(tx);
      if (!isLate)
        completeOpen(deps, tx, uuid, isPostponed(answer) ? judgeAnswer(row, answer.answer) : answer);
    },
  };
}

/** The answer of the beneficiary VASP, judged unless it is postponed, and what a resident VASP stores with it. */
export interface Reply {
  effects: Effects;
  answer: Completion | Postponed;
}

/** Throws what is no failure of the VASP. */
export async function ask(deps: Deps, verification: Questioned): Promise<Reply> {
  const vasp = deps.directory.find(verification.beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  const effects: Effects = [];
  return {
    effects,
    answer: await judged(deps, verification, vasp.verifyUser(requestFor(verification), effects)),
  };
}

/** What the enclave makes of the answer, judged unless it is postponed. Throws what is no failure of the VASP. */
export async function judged(
  deps: Deps,
  verification: Questioned,
  answering: Promise<VaspVerifyUserAnswer | Postponed>,
): Promise<Completion | Postponed> {
  try {
    const answer = await answering;
    return isPostponed(answer) ? answer : judgeAnswer(verification, answer);
  } catch (error) {
    return judgeFailure(deps, error);
  }
}

/** Timer `enclave.verification.time-out`: ERROR / REQUEST-TIMEOUT (D-12). */
export function timeOut(deps: Deps, { uuid }: { uuid: string }): Outcome {
  return { apply: tx => completeOpen(deps, tx, uuid, timedOut(deps)) };
}

const requestFor = (row: Questioned): VaspVerifyUserRequest => ({
  verificationUuid: row.uuid,
  assetInfo: assetInfoOf(row),
  requiredBeneficiaryInfo: row.requiredBeneficiaryInfo,
  originatingVaspId: row.originatingVaspId,
  version: row.payloadVersion,
  ivms101: {
    originator: row.ivms101Originator,
    beneficiary: row.ivms101Beneficiary,
  },
});

const nowOf = (deps: Deps, row: Verification): number =>
  nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);

const isTooEarly = (deps: Deps, row: Verification, { postponedMs }: Postponed): boolean =>
  nowOf(deps, row) < row.createdAt + postponedMs;

/** An answer that never comes needs no run: the time-out has a timer of its own. */
export const runAgain = ({ uuid, createdAt }: Verification, { postponedMs, answer }: Postponed) => ({
  againAt: createdAt + postponedMs,
  why: 'the beneficiary VASP postponed its answer',
  payload: { uuid, answer },
});

function judgeAnswer(row: Questioned, answer: VaspVerifyUserAnswer): Completion {
  const beneficiary = answer.ivms101?.beneficiary ?? undefined;
  const requested = row.ivms101Beneficiary;
  if (
    beneficiary?.accountNumber?.length &&
    isAccountNumberChanged(requested.accountNumber, beneficiary.accountNumber)
  )
    return {
      verdict: verdict('BENEFICIARY-ACCOUNT-NOT-MATCHED'),
      nearMiss: visibleNearMiss({
        field: 'ivms101.beneficiary.accountNumber',
        expected: requested.accountNumber.join(', '),
        got: beneficiary.accountNumber.join(', '),
      }),
    };
  const { result, reason, message } = answer;
  const answered: Verdict = { result, reason, message: message ?? '' };
  if (result !== 'VERIFIED' || !beneficiary) return { verdict: answered };
  return {
    verdict: answered,
    beneficiary: keepRequestedData(beneficiary, row.requiredBeneficiaryInfo),
    findings: () => answerFindings(row, beneficiary),
  };
}

function judgeFailure(deps: Deps, error: unknown): Completion {
  if (error instanceof NoAnswer) return timedOut(deps);
  if (!(error instanceof BadAnswer)) throw error;
  const nearMiss = {
    field: 'answer',
    expected: 'status 200 and a body of the documented shape',
    got: error.message,
  };
  return { verdict: verdict('UNDEFINED-ERROR', error.message), nearMiss };
}

const timedOut = ({ timeoutMs }: Deps): Completion => ({
  verdict: verdict('REQUEST-TIMEOUT'),
  nearMiss: {
    field: 'answer',
    expected: `an answer within ${formatDuration(timeoutMs.verifyUser)}`,
    got: 'no answer in time',
  },
});

const recordLateAnswer = (deps: Deps, tx: Tx, row: Verification): void =>
  recordEvent(tx, verificationStatus, row, 'late-answer', {
    at: nowOf(deps, row),
    cause: 'the beneficiary VASP answered after the time limit, so its answer is ignored',
  });
