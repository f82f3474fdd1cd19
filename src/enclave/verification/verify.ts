import { refusals } from '../../contract/refusals.ts';
import type {
  VerifyAccountAnswer,
  VerifyAccountRequest,
  VerifyUserAnswer,
  VerifyUserRequest,
} from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { VaspVerifyAccountAnswer } from '../../contract/vasp-api.ts';
import { isClosing } from '../../db/closing.ts';
import { groupCommit } from '../../db/group-commit.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { applyEffects, BadAnswer, type Effects, isPostponed, NoAnswer, type Postponed } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps, nowFor } from '../deps.ts';
import type { RegisteredVasp } from '../vasps/sealed-rows.ts';
import type { VaspStore } from '../vasps/store.ts';
import { type Completion, completeOpen, insertCompleted } from './complete.ts';
import { verificationStatus } from './machine.ts';
import { newVerification, recordRequest, refuseTooManyDecimals } from './new-verification.ts';
import { ask, completionOf } from './reply.ts';
import { scheduleTimeOut, verificationTimer } from './schedule-time-out.ts';
import { countOne } from './sides-store.ts';
import type { NewVerification, Verification } from './store.ts';
import * as verifications from './store.ts';

/** WIRE-2.3: asks the beneficiary VASP at once. A late answer is refused with 408: there is no row to hold an ERROR. */
export async function verifyAccount(
  deps: EnclaveDeps,
  request: VerifyAccountRequest,
  caller: CallerId,
): Promise<VerifyAccountAnswer> {
  const { vaspId } = requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  try {
    const answer = await deps.directory
      .find(vaspId)!
      .verifyAccount({
        originatingVaspId: caller,
        symbol: request.symbol,
        ...(request.network === undefined ? {} : { network: request.network }),
        version: request.payload.version,
        ivms101: { beneficiary: request.payload.ivms101.beneficiary },
      });
    return present(answer);
  } catch (error) {
    if (error instanceof NoAnswer) throw refusals.noAnswer(error.timeoutMs);
    if (!(error instanceof BadAnswer)) throw error;
    const verifiedAt = toIso(nowFor(deps, caller, vaspId));
    return { accountVerificationResult: 'DENIED', reason: 'UNDEFINED-ERROR', message: error.message, verifiedAt };
  }
}

function present({ accountVerificationResult, reason, message, verifiedAt }: VaspVerifyAccountAnswer) {
  return {
    accountVerificationResult,
    ...(reason === undefined || reason === 'OK' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    verifiedAt,
  };
}

/**
 * WIRE-2.4: opens a verification. A resident beneficiary VASP answers first, so its answer commits in the same transaction.
 * Any other one is asked by a timer that commits with the row. `inSameTransaction` runs in that transaction, too.
 */
export async function verifyUser(
  deps: EnclaveDeps,
  request: VerifyUserRequest,
  caller: CallerId,
  inSameTransaction: (tx: Tx, response: VerifyUserAnswer) => void = () => {},
): Promise<VerifyUserAnswer> {
  refuseTooManyDecimals(request);
  requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  const verification = newVerification(deps, request, caller, deps.random.uuid());
  const { uuid, createdAt } = verification;
  const response = { verificationUuid: uuid, createdAt: toIso(createdAt) };
  const answered = await answeredAtOnce(deps, verification);
  return groupCommit(deps.db, tx => {
    if (isClosing(tx, caller)) throw refusals.unauthorized();
    if (isClosing(tx, request.beneficiaryVaspId)) throw refusals.vaspNotActive();
    const owner = clockOwner(deps, caller, request.beneficiaryVaspId);
    deps.beforeVerifying(tx, owner);
    recordRequest(deps, tx, request, verification);
    if (answered) {
      applyEffects(tx, answered.effects);
      insertCompleted(deps, tx, verification, answered.completion);
    } else insertOpen(deps, tx, verification);
    countOne(tx, owner);
    inSameTransaction(tx, response);
    return response;
  });
}

/**
 * The answer of a resident VASP. Undefined: it comes later, or failed. The timer asks again then, and logs what fails. A
 * fault is recorded in the history of the verification, so while one is ordered the verification is opened first.
 */
async function answeredAtOnce(
  deps: EnclaveDeps,
  verification: NewVerification,
): Promise<{ effects: Effects; completion: Completion } | undefined> {
  const { originatingVaspId, beneficiaryVaspId } = verification;
  if (!deps.directory.isResident(beneficiaryVaspId) || deps.faults.isArmed(originatingVaspId)) return undefined;
  const reply = await ask(deps, verification).catch(() => undefined);
  if (!reply || isPostponed(reply.completion)) return undefined;
  return { effects: reply.effects, completion: reply.completion };
}

function insertOpen(deps: EnclaveDeps, tx: Tx, verification: NewVerification): void {
  const row = verifications.insert(tx, verification);
  scheduleTimeOut(deps, tx, row);
  scheduleAsk(deps, tx, row);
}

type Ask = TimerPayloads['enclave.verification.ask'];

export function scheduleAsk(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  const timer = { ...verificationTimer(deps, row), dueAt: row.createdAt, why: 'ask the beneficiary VASP' };
  deps.timers.schedule(tx, 'enclave.verification.ask', timer);
}

/** Timer `enclave.verification.ask`: asks the beneficiary VASP once. Its answer completes the verification (D-12). */
export async function askBeneficiary(deps: EnclaveDeps, { uuid, answer: postponedAnswer }: Ask): Promise<Outcome<Ask>> {
  const row = verifications.find(deps.db, uuid);
  if (!row) return {};
  if (row.status !== 'OPEN') return { apply: tx => recordLateAnswer(deps, tx, row) };
  if (postponedAnswer) return { apply: tx => completeOpen(deps, tx, uuid, completionOf(row, postponedAnswer)) };
  // It was suspended after the verification was opened. The time-out ends it.
  if (!deps.vasps.isActive(row.beneficiaryVaspId)) return {};
  const { effects, completion } = await ask(deps, row);
  if (isPostponed(completion) && nowOf(deps, row) < row.createdAt + completion.postponedMs)
    return { ...againAfter(row, completion), apply: tx => applyEffects(tx, effects) };
  const end = isPostponed(completion) ? completionOf(row, completion.answer) : completion;
  return {
    apply(tx) {
      applyEffects(tx, effects);
      completeOpen(deps, tx, uuid, end);
    },
  };
}

/** An answer that never comes needs no run: the time-out has a timer of its own. */
const againAfter = ({ uuid, createdAt }: Verification, { postponedMs, answer }: Postponed): Outcome<Ask> =>
  Number.isFinite(postponedMs)
    ? { againAt: createdAt + postponedMs, why: 'the beneficiary VASP postponed its answer', payload: { uuid, answer } }
    : {};

const recordLateAnswer = (deps: EnclaveDeps, tx: Tx, row: Verification): void =>
  recordEvent(tx, verificationStatus, row, 'late-answer', {
    at: nowOf(deps, row),
    cause: 'the beneficiary VASP answered after the time limit, so its answer is ignored',
  });

const nowOf = (deps: EnclaveDeps, row: Verification): number =>
  nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);

/** The VASP that `caller` names as beneficiary. Throws `Refusal` unknown-vasp, vasp-not-active, invalid-field. */
function requireBeneficiaryVasp(store: VaspStore, beneficiaryVaspId: string, caller: string): RegisteredVasp {
  const vasp = store.find(beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  if (!vasp.isActive) throw refusals.vaspNotActive();
  if (vasp.vaspId === caller) throw refusals.invalidField('beneficiaryVaspId', 'should be another VASP');
  return vasp;
}
