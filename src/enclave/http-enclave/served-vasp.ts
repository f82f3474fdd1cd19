import type { Callback, CallbackData } from '../../contract/callbacks.ts';
import { Refusal } from '../../contract/refusals.ts';
import { asCaller } from '../../contract/tenancy.ts';
import { AnsweredBeneficiary, type VaspVerifyUserAnswer, type VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import { groupCommit } from '../../db/group-commit.ts';
import { expiresIn } from '../../timers/loop.ts';
import {
  applyEffects,
  type CallbackReply,
  type Effects,
  isPostponed,
  NoAnswer,
  TAKEN,
  type Vasp,
} from '../../vasps/port.ts';
import { answerFindings } from '../findings/findings.ts';
import { complete, completeOpen } from '../verification/complete.ts';
import { completionFrom } from '../verification/reply.ts';
import { reportError, reportTransaction } from '../verification/reports.ts';
import * as verifications from '../verification/store.ts';
import { scheduleAsk } from '../verification/verify.ts';
import { adopt, type CopyDeps, openReceived } from './http-enclave.ts';

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

/**
 * A repeated question gets the same answer; what the VASP stores with it commits once. Throws what the VASP throws, and
 * `NoAnswer` when the time is over.
 */
async function answerOnce(deps: CopyDeps, vasp: Vasp, request: VaspVerifyUserRequest): Promise<VaspVerifyUserAnswer> {
  const { verificationUuid: uuid } = request;
  const copy = await openReceived(deps, request);
  const effects: Effects = [];
  const answering = vasp.verifyUser(request, effects);
  const completion = await completionFrom(deps, copy, answering);
  await groupCommit(deps.db, tx => {
    const row = verifications.find(tx, uuid);
    if (row?.status !== 'OPEN') return;
    if (isPostponed(completion)) return scheduleAsk(deps, tx, row);
    applyEffects(tx, effects);
    complete(deps, tx, row, completion);
  });
  await untilEnded(deps, uuid);
  if (verifications.find(deps.db, uuid)?.reason === 'REQUEST-TIMEOUT') throw new NoAnswer(deps.timeoutMs.verifyUser);
  return isPostponed(completion) ? completion.answer : ((await answering) as VaspVerifyUserAnswer);
}

const LONGEST_WAIT_MS = 60_000;

/** A postponed answer comes by a timer, on the clock of the sandbox. */
async function untilEnded(deps: CopyDeps, uuid: string): Promise<void> {
  const end = expiresIn(LONGEST_WAIT_MS);
  while (verifications.find(deps.db, uuid)?.status === 'OPEN' && !end.aborted) await deps.waiters.wait(uuid, end);
}

async function receive(deps: CopyDeps, vasp: Vasp, callback: Callback): Promise<CallbackReply> {
  const { verificationUuid: uuid } = callback.data;
  if (callback.callbackType === 'VERIFICATION_RESULT') await takeResult(deps, callback.data);
  else if (verifications.find(deps.db, uuid)) return passOn(deps, vasp, callback);
  return vasp.callback(callback);
}

async function takeResult(
  deps: CopyDeps,
  { verificationUuid: uuid, verificationResult: result, reason, ...data }: CallbackData<'VERIFICATION_RESULT'>,
): Promise<void> {
  if (!verifications.find(deps.db, uuid)) await adopt(deps, uuid);
  const row = verifications.find(deps.db, uuid);
  if (row?.status !== 'OPEN' || row.originatingVaspId !== deps.residentVaspId) return;
  const verdict = { result, reason, message: data.message ?? '' };
  const { data: beneficiary } = AnsweredBeneficiary.safeParse(data.ivms101?.beneficiary);
  const answer = result === 'VERIFIED' &&
    beneficiary && { beneficiary, findings: () => answerFindings(row, beneficiary) };
  await groupCommit(deps.db, tx => completeOpen(deps, tx, uuid, { verdict, ...answer }));
}

/** A report changes the copy, and its outbox tells the VASP. What cannot change the copy goes to the VASP at once. */
function passOn(deps: CopyDeps, vasp: Vasp, callback: Callback): Promise<CallbackReply> | CallbackReply {
  const row = verifications.find(deps.db, callback.data.verificationUuid)!;
  const sender = asCaller(row.originatingVaspId);
  try {
    if (callback.callbackType === 'TX_REPORT') {
      const { txHash, vout } = callback.data;
      if (row.txHash !== txHash || row.vout !== (vout ?? null)) reportTransaction(deps, callback.data, sender);
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
