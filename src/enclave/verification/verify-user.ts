import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserAnswer, VerifyUserRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { isClosing } from '../../db/closing.ts';
import { groupCommit } from '../../db/group-commit.ts';
import type { Tx } from '../../db/transaction.ts';
import { toIso } from '../../kernel/clock.ts';
import { applyEffects, type Effects, isPostponed } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import { requireBeneficiaryVasp } from '../vasps/require-beneficiary-vasp.ts';
import { scheduleAsk } from './ask-beneficiary.ts';
import { type Completion, insertCompleted } from './complete.ts';
import { newVerification, recordRequest, refuseTooManyDecimals } from './new-verification.ts';
import { countOne } from './ordered-store.ts';
import { ask } from './reply.ts';
import { scheduleTimeOut } from './schedule-time-out.ts';
import type { NewVerification } from './store.ts';
import * as verifications from './store.ts';

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
