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
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { BadAnswer, type Effects, isPostponed, NoAnswer, type Postponed } from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { answerFindings } from '../remarks/answer.ts';
import { type CompleteDeps, type Completion, completeOpen } from './complete.ts';
import { verificationStatus } from './machine.ts';
import { assetInfoOf } from './present.ts';
import type { NewVerification, Verification } from './store.ts';
import { timedOut } from './time-out.ts';

type Deps = CompleteDeps & Pick<EnclaveDeps, 'directory' | 'vasps'>;
type Ask = TimerPayloads['enclave.verification.ask'];

/** Timer `enclave.verification.ask`: asks the beneficiary VASP once. Its answer completes the verification (D-12). */
export async function askBeneficiary(
  deps: Deps,
  { uuid, answer: postponedAnswer }: Ask,
): Promise<Outcome<Ask>> {
  const row = deps.verifications.find(uuid);
  if (!row) return {};
  if (row.status !== 'OPEN') return { apply: tx => recordLateAnswer(deps, tx, row) };
  if (postponedAnswer)
    return { apply: tx => completeOpen(deps, tx, uuid, completionOf(row, postponedAnswer)) };
  // It was suspended after the verification was opened. The time-out ends it.
  if (!deps.vasps.isActive(row.beneficiaryVaspId)) return {};
  const { effects, outcome } = await ask(deps, row);
  const isTooEarly = isPostponed(outcome) && nowOf(deps, row) < row.createdAt + outcome.postponedMs;
  return {
    ...(isTooEarly && Number.isFinite(outcome.postponedMs) ? askAgain(row, outcome) : {}),
    apply(tx) {
      for (const effect of effects) effect(tx);
      if (!isTooEarly)
        completeOpen(deps, tx, uuid, isPostponed(outcome) ? completionOf(row, outcome.answer) : outcome);
    },
  };
}

/** What the enclave makes of the answer, and what a resident VASP stores with it. */
export interface Reply {
  effects: Effects;
  outcome: Completion | Postponed;
}

/** Throws what is no failure of the VASP. */
export async function ask(deps: Deps, verification: NewVerification): Promise<Reply> {
  const vasp = deps.directory.find(verification.beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  const effects: Effects = [];
  const answering = vasp.verifyUser(requestFor(verification), effects);
  return { effects, outcome: await outcomeOf(deps, verification, answering) };
}

const requestFor = (row: NewVerification): VaspVerifyUserRequest => ({
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

/** Throws what is no failure of the VASP. */
export async function outcomeOf(
  deps: Deps,
  verification: NewVerification,
  answering: Promise<VaspVerifyUserAnswer | Postponed>,
): Promise<Completion | Postponed> {
  try {
    const answer = await answering;
    return isPostponed(answer) ? answer : completionOf(verification, answer);
  } catch (error) {
    return completionOfFailure(deps, error);
  }
}

function completionOf(row: NewVerification, answer: VaspVerifyUserAnswer): Completion {
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

function completionOfFailure(deps: Deps, error: unknown): Completion {
  if (error instanceof NoAnswer) return timedOut(deps);
  if (!(error instanceof BadAnswer)) throw error;
  const nearMiss = {
    field: 'answer',
    expected: 'status 200 and a body of the documented shape',
    got: error.message,
  };
  return { verdict: verdict('UNDEFINED-ERROR', error.message), nearMiss };
}

/** An answer that never comes needs no run: the time-out has a timer of its own. */
export const askAgain = ({ uuid, createdAt }: Verification, { postponedMs, answer }: Postponed) => ({
  againAt: createdAt + postponedMs,
  why: 'the beneficiary VASP postponed its answer',
  payload: { uuid, answer },
});

const recordLateAnswer = (deps: Deps, tx: Tx, row: Verification): void =>
  recordEvent(tx, verificationStatus, row, 'late-answer', {
    at: nowOf(deps, row),
    cause: 'the beneficiary VASP answered after the time limit, so its answer is ignored',
  });

const nowOf = (deps: Deps, row: Verification): number =>
  nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);
