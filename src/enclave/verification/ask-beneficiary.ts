import { type Verdict, verdict } from '../../contract/reasons.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VaspVerifyUserAnswer } from '../../contract/vasp-api.ts';
import { record } from '../../db/history.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { BadAnswer, isPostponed, NoAnswer, type Postponed } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import { type Completion, complete } from './complete.ts';
import { keepRequestedData } from './keep-requested-data.ts';
import { assetInfoOf } from './present.ts';
import type { Verification } from './store.ts';

type Ask = TimerPayloads['enclave.verification.ask'];

/** Timer `enclave.verification.ask`: one question to the beneficiary VASP, one verdict (D-12). */
export async function askBeneficiary(
  deps: EnclaveDeps,
  { uuid, answer: heldBack }: Ask,
): Promise<Outcome<Ask>> {
  const row = deps.verifications.find(uuid);
  if (!row) return {};
  if (row.status !== 'OPEN') return { apply: tx => record(tx, lateAnswer(deps, row)) };
  const vasp = deps.directory.find(row.beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  try {
    const answer = heldBack ?? (await vasp.verifyUser(questionOf(row)));
    if (isPostponed(answer) && isStillWaiting(deps, row, answer.postponedMs)) return waitFor(row, answer);
    const judged = judge(row, isPostponed(answer) ? answer.answer : answer);
    return { apply: tx => complete(deps, tx, row, judged) };
  } catch (error) {
    const failed = judgeFailure(deps, error);
    return { apply: tx => complete(deps, tx, row, failed) };
  }
}

const questionOf = (row: Verification) => ({
  verificationUuid: row.uuid,
  assetInfo: assetInfoOf(row),
  requiredBeneficiaryInfo: row.requiredBeneficiaryInfo,
  originatingVaspId: row.originatingVaspId,
  version: row.payloadVersion,
  ivms101: {
    originator: JSON.parse(row.ivms101Originator),
    beneficiary: JSON.parse(row.ivms101Beneficiary),
  },
});

const nowOf = (deps: EnclaveDeps, row: Verification): number =>
  deps.clock.now(clockOwner(deps, row.originatingVaspId, row.beneficiaryVaspId));

const isStillWaiting = (deps: EnclaveDeps, row: Verification, postponedMs: number): boolean =>
  nowOf(deps, row) < row.createdAt + postponedMs;

/** The time limit is a timer of its own, so a VASP that never answers costs nothing meanwhile. */
const waitFor = (row: Verification, { postponedMs, answer }: Postponed): Outcome<Ask> =>
  Number.isFinite(postponedMs)
    ? {
        againAt: row.createdAt + postponedMs,
        why: 'the beneficiary VASP takes its time',
        payload: { uuid: row.uuid, answer },
      }
    : {};

function judgeFailure(deps: EnclaveDeps, error: unknown): Completion {
  if (error instanceof NoAnswer) return timedOut(deps);
  if (!(error instanceof BadAnswer)) throw error;
  const nearMiss = { field: 'answer', expected: '200 with a body in shape', got: error.message };
  return { verdict: verdict('UNDEFINED-ERROR', error.message), nearMiss };
}

/** D-12: ERROR / REQUEST-TIMEOUT. */
export function timedOut({ timeoutMs }: Pick<EnclaveDeps, 'timeoutMs'>): Completion {
  const expected = `within ${formatDuration(timeoutMs.verifyUser)}`;
  return {
    verdict: verdict('REQUEST-TIMEOUT'),
    nearMiss: { field: 'answer', expected, got: 'none in time' },
  };
}

function judge(row: Verification, answer: VaspVerifyUserAnswer): Completion {
  const answered = answer.ivms101?.beneficiary ?? undefined;
  const { accountNumber: asked } = JSON.parse(row.ivms101Beneficiary) as { accountNumber: string[] };
  if (answered?.accountNumber?.length && isAccountNumberChanged(asked, answered.accountNumber))
    return {
      verdict: verdict('BENEFICIARY-ACCOUNT-NOT-MATCHED'),
      nearMiss: {
        field: 'ivms101.beneficiary.accountNumber',
        expected: asked.join(', '),
        got: answered.accountNumber.join(', '),
      },
    };
  const given: Verdict = { result: answer.result, reason: answer.reason, message: answer.message ?? '' };
  if (answer.result !== 'VERIFIED' || !answered) return { verdict: given };
  return { verdict: given, beneficiary: keepRequestedData(answered, row.requiredBeneficiaryInfo) };
}

/** WIRE-3.2: it has to come back exactly as it was received. */
export const isAccountNumberChanged = (asked: readonly string[], answered: readonly string[]): boolean =>
  asked.length !== answered.length || asked.some((accountNumber, i) => accountNumber !== answered[i]);

const lateAnswer = (deps: EnclaveDeps, row: Verification) => ({
  machine: 'verification',
  rowKey: String(row.id),
  verificationUuid: row.uuid,
  from: row.status,
  event: 'late-answer',
  to: row.status,
  at: nowOf(deps, row),
  cause: 'the beneficiary VASP answered after the time limit; ignored',
});
