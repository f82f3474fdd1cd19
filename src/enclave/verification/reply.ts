import { type Verdict, verdict } from '../../contract/clauses.ts';
import { refusals } from '../../contract/refusals.ts';
import { keepRequestedData } from '../../contract/requested-data.ts';
import { visibleNearMiss } from '../../contract/text.ts';
import {
  isAccountNumberChanged,
  type VaspVerifyUserAnswer,
  type VaspVerifyUserRequest,
} from '../../contract/vasp-api.ts';
import { BadAnswer, type Effects, isPostponed, NoAnswer, type Postponed } from '../../vasps/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import { answerFindings } from '../findings/findings.ts';
import { type Completion, timedOut } from './complete.ts';
import { assetInfoOf } from './read.ts';
import type { NewVerification } from './store.ts';

/** What the enclave makes of the beneficiary VASP's answer, and what a resident VASP stores with it. */
export interface Reply {
  effects: Effects;
  completion: Completion | Postponed;
}

/** Asks the beneficiary VASP. Rethrows every error but NoAnswer and BadAnswer. */
export async function ask(deps: EnclaveDeps, verification: NewVerification): Promise<Reply> {
  const vasp = deps.directory.find(verification.beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  const effects: Effects = [];
  const answering = vasp.verifyUser(requestFor(verification), effects);
  return { effects, completion: await completionFrom(deps, verification, answering) };
}

const requestFor = (verification: NewVerification): VaspVerifyUserRequest => ({
  verificationUuid: verification.uuid,
  assetInfo: assetInfoOf(verification),
  requiredBeneficiaryInfo: verification.requiredBeneficiaryInfo,
  originatingVaspId: verification.originatingVaspId,
  version: verification.payloadVersion,
  ivms101: { originator: verification.ivms101Originator, beneficiary: verification.ivms101Beneficiary },
});

/** Rethrows every error but NoAnswer and BadAnswer. */
export async function completionFrom(
  deps: EnclaveDeps,
  verification: NewVerification,
  answering: Promise<VaspVerifyUserAnswer | Postponed>,
): Promise<Completion | Postponed> {
  try {
    const answer = await answering;
    return isPostponed(answer) ? answer : completionOf(verification, answer);
  } catch (error) {
    if (error instanceof NoAnswer) return timedOut(deps);
    if (error instanceof BadAnswer) return failed(error);
    throw error;
  }
}

const failed = ({ message }: BadAnswer): Completion => ({
  verdict: verdict('UNDEFINED-ERROR', message),
  nearMiss: { field: 'answer', expected: 'status 200 and a body of the documented shape', got: message },
});

export function completionOf(verification: NewVerification, answer: VaspVerifyUserAnswer): Completion {
  const beneficiary = answer.ivms101?.beneficiary ?? undefined;
  const requested = verification.ivms101Beneficiary.accountNumber;
  const answered = beneficiary?.accountNumber ?? [];
  if (answered.length > 0 && isAccountNumberChanged(requested, answered))
    return {
      verdict: verdict('BENEFICIARY-ACCOUNT-NOT-MATCHED'),
      nearMiss: visibleNearMiss({
        field: 'ivms101.beneficiary.accountNumber',
        expected: requested.join(', '),
        got: answered.join(', '),
      }),
    };
  const { result, reason, message } = answer;
  const theirs: Verdict = { result, reason, message: message ?? '' };
  if (result !== 'VERIFIED' || !beneficiary) return { verdict: theirs };
  return {
    verdict: theirs,
    beneficiary: keepRequestedData(beneficiary, verification.requiredBeneficiaryInfo),
    findings: () => answerFindings(verification, beneficiary),
  };
}
