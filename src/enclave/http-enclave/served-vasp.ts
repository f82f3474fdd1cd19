import type { Callback, CallbackData } from '../../contract/callbacks.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { actAs } from '../../contract/tenancy.ts';
import {
  AnsweredBeneficiary,
  type VaspVerifyUserAnswer,
  type VaspVerifyUserRequest,
} from '../../contract/vasp-api.ts';
import { groupCommit } from '../../db/group-commit.ts';
import { expiresIn } from '../../timers/loop.ts';
import { type CallbackReply, type Effects, isPostponed, NoAnswer, type Vasp } from '../../vasps/port.ts';
import { answerFindings } from '../remarks/answer.ts';
import { judged } from '../verification/ask-beneficiary.ts';
import { completeOpen } from '../verification/complete.ts';
import { reportError } from '../verification/report-error.ts';
import { reportTransaction } from '../verification/report-transaction.ts';
import {
  newVerification,
  openVerification,
  refuseTooManyDecimals,
  takeReply,
} from '../verification/verify-user.ts';
import { adopt, type CopyDeps } from './copies.ts';

/**
 * The resident VASP for the enclave that leads. Its answers and the callbacks that it gets are kept in its copies of the
 * verifications, each in one transaction, before the enclave has its answer.
 */
export const servedVasp = (deps: CopyDeps, vasp: Vasp): Vasp => ({
  verifyAccount: request => vasp.verifyAccount(request),
  verifyUser: request => answerOnce(deps, vasp, request),
  transactionStatus: request => vasp.transactionStatus(request),
  callback: callback => receive(deps, vasp, callback),
});

/** A repeated question gets the same answer, and stores nothing. Throws what the VASP throws, and `NoAnswer` too late. */
async function answerOnce(
  deps: CopyDeps,
  vasp: Vasp,
  request: VaspVerifyUserRequest,
): Promise<VaspVerifyUserAnswer> {
  const { verificationUuid: uuid, version, ivms101, originatingVaspId, ...rest } = request;
  const payload = { version, ivms101 };
  const asked: VerifyUserRequest = {
    ...rest,
    keyType: 'PerVasp',
    beneficiaryVaspId: deps.residentVaspId,
    payload,
  };
  refuseTooManyDecimals(asked);
  const effects: Effects = [];
  const answering = vasp.verifyUser(request, effects);
  const verification = newVerification(deps, asked, originatingVaspId, uuid);
  const answer = await judged(deps, verification, answering);
  await groupCommit(deps.db, tx => {
    if (deps.verifications.find(uuid)) return;
    const row = openVerification(deps, tx, asked, verification);
    takeReply(deps, tx, row, { effects, answer });
  });
  if (!isPostponed(answer)) return (await answering) as VaspVerifyUserAnswer;
  await untilEnded(deps, uuid);
  if (deps.verifications.find(uuid)?.reason === 'REQUEST-TIMEOUT')
    throw new NoAnswer(deps.timeoutMs.verifyUser);
  return answer.answer;
}

const LONGEST_WAIT_MS = 60_000;

/** Of a postponed answer: a timer ends the copy, on the clock of the sandbox. */
async function untilEnded(deps: CopyDeps, uuid: string): Promise<void> {
  const end = expiresIn(LONGEST_WAIT_MS);
  while (deps.verifications.find(uuid)?.status === 'OPEN' && !end.aborted)
    await deps.mailboxNotifier.wait(uuid, end);
}

async function receive(deps: CopyDeps, vasp: Vasp, callback: Callback): Promise<CallbackReply> {
  const { verificationUuid: uuid } = callback.data;
  if (callback.callbackType === 'VERIFICATION_RESULT') await takeResult(deps, callback.data);
  else if (deps.verifications.find(uuid)) return passOn(deps, vasp, callback);
  return vasp.callback(callback);
}

async function takeResult(
  deps: CopyDeps,
  {
    verificationUuid: uuid,
    verificationResult: result,
    reason,
    ...data
  }: CallbackData<'VERIFICATION_RESULT'>,
): Promise<void> {
  if (!deps.verifications.find(uuid)) await adopt(deps, uuid);
  const row = deps.verifications.find(uuid);
  if (row?.status !== 'OPEN' || row.originatingVaspId !== deps.residentVaspId) return;
  const verdict = { result, reason, message: data.message ?? '' };
  const { data: beneficiary } = AnsweredBeneficiary.safeParse(data.ivms101?.beneficiary);
  const answer = result === 'VERIFIED' &&
    beneficiary && { beneficiary, findings: () => answerFindings(row, beneficiary) };
  await groupCommit(deps.db, tx => completeOpen(deps, tx, uuid, { verdict, ...answer }));
}

/** A report changes the copy, and its outbox tells the VASP. What cannot change the copy goes to the VASP at once. */
function passOn(deps: CopyDeps, vasp: Vasp, callback: Callback): Promise<CallbackReply> | CallbackReply {
  const row = deps.verifications.find(callback.data.verificationUuid)!;
  const sender = actAs(row.originatingVaspId);
  try {
    if (callback.callbackType === 'TX_REPORT') {
      const { txHash, vout } = callback.data;
      if (row.txHash === txHash && row.vout === (vout ?? null)) return TAKEN;
      reportTransaction(deps, callback.data, sender);
      return TAKEN;
    }
    if (callback.callbackType === 'ERROR_REPORT') {
      reportError(deps, callback.data, sender);
      return TAKEN;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return vasp.callback(callback);
}

const TAKEN: CallbackReply = { status: 200, body: JSON.stringify({ result: true }) };
