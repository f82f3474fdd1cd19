import * as z from 'zod';
import { AssetInfo } from '../../contract/assets.ts';
import type { Callback, CallbackData, CallbackType } from '../../contract/callbacks.ts';
import { REASON_CODES, type Verdict } from '../../contract/clauses.ts';
import { Originator } from '../../contract/ivms101.ts';
import { parse, parseJsonObject } from '../../contract/parse.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { VerifyUserAnswer, VerifyUserRequest } from '../../contract/requests.ts';
import { asCaller } from '../../contract/tenancy.ts';
import { AnsweredBeneficiary, type VaspVerifyUserAnswer, type VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import { groupCommit, type Tx } from '../../db/transaction.ts';
import { recordEvent, transition } from '../../db/transition.ts';
import { expiresIn } from '../../timers/loop.ts';
import type { Outcome } from '../../timers/registry.ts';
import type { Directory } from '../../vasps/directory.ts';
import {
  applyEffects,
  BadAnswer,
  type CallbackReply,
  type Delivery,
  type Effects,
  isPostponed,
  NoAnswer,
  TAKEN,
  type Vasp,
} from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { createEnclave } from '../enclave.ts';
import { answerFindings } from '../findings/findings.ts';
import type { Enclave } from '../port.ts';
import { complete, completeOpen, scheduleTimeOut, timeOut } from '../verification/complete.ts';
import { verificationStatus } from '../verification/machine.ts';
import { reportError, reportTransaction } from '../verification/reports.ts';
import type { Verification } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import {
  completionFrom,
  newVerification,
  recordRequest,
  refuseTooManyDecimals,
  scheduleAsk,
} from '../verification/verify.ts';
import type { ForeignEnclave, ForeignVerification } from './foreign-enclave.ts';

/**
 * The enclave of somebody else, for the resident VASP. Questions go there at once. The VASP reads its own copies of its
 * verifications and reports on them, and the outbox hands the reports on, in order, until they are taken or refused.
 */
export function httpEnclave(deps: CopyDeps): Enclave {
  const { foreign, residentVaspId } = deps;
  const about = (verificationUuid: string | null, vaspId: string = residentVaspId) => ({ vaspId, verificationUuid });
  return {
    ...createEnclave(deps),
    vasps: ({ protocol }) => foreign.call('list-vasps', about(null), { protocol }),
    verifyAccount: request => foreign.call('verify-account', about(null, request.beneficiaryVaspId), request),
    async verifyUser(request, _, inSameTransaction) {
      refuseTooManyDecimals(request);
      const opened = await foreign.call('verify-user', about(null, request.beneficiaryVaspId), request);
      return openSent(deps, request, opened, inSameTransaction);
    },
    assessSanction: request => foreign.call('assess-sanction', about(request.verificationUuid), request),
    assessKyt: request => foreign.call('assess-kyt', about(request.verificationUuid), request),
    assessWco: request => foreign.call('assess-wco', about(request.verificationUuid), request),
  };
}

/** The resident VASP's own record of its verifications. The enclave that leads has the last word about each. */

export type CopyDeps = EnclaveDeps & { foreign: ForeignEnclave };
export const isCopying = (deps: EnclaveDeps): deps is CopyDeps => deps.foreign !== undefined;

/** Of a verification that the resident VASP has just started. `inSameTransaction` runs in the same transaction. */
const openSent = (
  deps: CopyDeps,
  request: VerifyUserRequest,
  response: VerifyUserAnswer,
  inSameTransaction: (tx: Tx, response: VerifyUserAnswer) => void = () => {},
): Promise<VerifyUserAnswer> =>
  groupCommit(deps.db, tx => {
    const { keyType, requiredBeneficiaryInfo } = request;
    const { id } = open(deps, tx, request, deps.residentVaspId, response.verificationUuid);
    // Its result may have come first.
    verifications.patch(tx, id, { keyType, requiredBeneficiaryInfo });
    inSameTransaction(tx, response);
    return response;
  });

/** Of a question to the resident VASP. Throws `Refusal` invalid-field. */
function openReceived(
  deps: CopyDeps,
  { verificationUuid, originatingVaspId, version, ivms101, ...rest }: VaspVerifyUserRequest,
): Promise<Verification> {
  const asked = { ...rest, keyType: 'PerVasp', beneficiaryVaspId: deps.residentVaspId } as const;
  const request = { ...asked, payload: { version, ivms101 } };
  refuseTooManyDecimals(request);
  return groupCommit(deps.db, tx => open(deps, tx, request, originatingVaspId, verificationUuid));
}

function open(deps: CopyDeps, tx: Tx, request: VerifyUserRequest, originatingVaspId: string, uuid: string) {
  const known = verifications.find(tx, uuid);
  if (known) return known;
  const verification = newVerification(deps, request, originatingVaspId, uuid);
  recordRequest(deps, tx, request, verification);
  const row = verifications.insert(tx, verification);
  scheduleTimeOut(deps, tx, row);
  return row;
}

const jsonOf = <S extends z.ZodType>(schema: S) => z.string().transform(text => parse(schema, parseJsonObject(text)));
const Lost = z.object({
  assetInfo: AssetInfo,
  beneficiaryVaspId: z.string(),
  ivms101Originator: jsonOf(Originator),
  ivms101Beneficiary: jsonOf(AnsweredBeneficiary),
  beneficiaryAccountNumber: z.string(),
});

/** The process ended before it could keep the verification that it had started. */
async function adopt(deps: CopyDeps, uuid: string): Promise<void> {
  const there = await lookUp(deps, deps.residentVaspId, uuid);
  if (there?.originatingVaspId !== deps.residentVaspId) return;
  const { assetInfo, beneficiaryVaspId, ...lost } = parse(Lost, there);
  const { beneficiaryPersons, accountNumber } = lost.ivms101Beneficiary;
  const beneficiary = {
    beneficiaryPersons: beneficiaryPersons ?? [],
    accountNumber: accountNumber ?? [lost.beneficiaryAccountNumber],
  };
  const payload = { version: '1.0', ivms101: { originator: lost.ivms101Originator, beneficiary } };
  const wanted = { keyType: 'PerVasp', requiredBeneficiaryInfo: 'ACCOUNT_NUMBER' } as const;
  const request = { ...wanted, beneficiaryVaspId, assetInfo, payload };
  await groupCommit(deps.db, tx => open(deps, tx, request, deps.residentVaspId, uuid));
}

/** Undefined: the enclave has no such verification. */
async function lookUp(deps: CopyDeps, vaspId: string, uuid: string): Promise<ForeignVerification | undefined> {
  try {
    return await deps.foreign.call('get-verification', { vaspId, verificationUuid: uuid });
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'verification-missing') return undefined;
    throw error;
  }
}

/**
 * Timer `enclave.verification.time-out` of a copy: takes over the result of the enclave. Asked again while it has none; each
 * pause is as long as the verification is old.
 */
export async function followEnclave(deps: CopyDeps, { uuid }: { uuid: string }): Promise<Outcome> {
  const row = verifications.find(deps.db, uuid);
  if (!row) return {};
  const isSent = row.originatingVaspId === deps.residentVaspId;
  if (row.status === 'OPEN' && !isSent) return timeOut(deps, { uuid });
  const there = await lookUp(deps, isSent ? row.beneficiaryVaspId : row.originatingVaspId, uuid);
  const now = nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);
  if (there && there.result === undefined)
    return {
      againAt: now + Math.max(now - row.createdAt, deps.timeoutMs.verifyUser),
      why: 'the enclave has no result yet',
    };
  return { apply: tx => follow(deps, tx, uuid, there ? verdictOf(there) : LOST) };
}

const LOST: Verdict = {
  result: 'ERROR',
  reason: 'UNDEFINED-ERROR',
  message: 'The enclave does not know this verification.',
};

const verdictOf = ({ result, reason = '', message = '' }: ForeignVerification): Verdict => ({
  result: result!,
  reason: REASON_CODES.find(code => code === reason) ?? 'UNDEFINED-ERROR',
  message,
});

function follow(deps: CopyDeps, tx: Tx, uuid: string, verdict: Verdict): void {
  const row = verifications.find(tx, uuid);
  if (!row) return;
  if (row.status === 'OPEN') return complete(deps, tx, row, { verdict });
  // An error report is on its way, in one direction or the other.
  if (row.status === verdict.result || row.errorReport) return;
  const { result, reason, message } = verdict;
  const at = nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);
  const cause = `the enclave ended it as ${result} / ${reason}`;
  const event = OVERRULED[result];
  if (row.status === 'VERIFIED' && event)
    transition(tx, verificationStatus, row, event, { patch: { reason, message }, at, cause });
  else recordEvent(tx, verificationStatus, row, 'enclave-differs', { at, cause });
}

const OVERRULED = {
  ERROR: 'enclave-failed',
  DENIED: 'enclave-denied',
  VERIFIED: undefined,
  UNKNOWN: undefined,
} as const;

/** Every VASP but the residents is reached by the enclave that leads: what goes to the VASP is a call of that enclave. */
export const relayingDirectory = (residents: ReadonlyMap<string, Vasp>, foreign: ForeignEnclave): Directory => ({
  isResident: vaspId => residents.has(vaspId),
  find: vaspId => residents.get(vaspId) ?? relayed(foreign, vaspId),
  callbackUrl: (_, type) => foreign.urlOf(REPORTS[type] ?? 'get-verification'),
  connect: () => undefined,
  close: foreign.close,
});

const REPORTS: Partial<Record<CallbackType, 'report-transaction' | 'report-error'>> = {
  TX_REPORT: 'report-transaction',
  ERROR_REPORT: 'report-error',
};

const relayed = (foreign: ForeignEnclave, vaspId: string): Vasp => ({
  verifyAccount: () => Promise.reject(onlyByEnclave()),
  verifyUser: () => Promise.reject(onlyByEnclave()),
  transactionStatus: ({ verificationUuid }) =>
    foreign
      .call('inquire-transaction', { vaspId, verificationUuid }, { verificationUuid })
      .catch(error => Promise.reject(isRefused(error) ? error : new BadAnswer(error.message))),
  callback: (callback, delivery) => report(foreign, vaspId, callback, delivery),
});

const onlyByEnclave = () => new BadAnswer('The enclave that leads asks this VASP.');

/**
 * A report of the robot. WIRE-2.7 does not say what a repeated one does, so the enclave is asked first whether it has it:
 * the answer to an earlier attempt may have been lost.
 */
async function report(
  foreign: ForeignEnclave,
  vaspId: string,
  callback: Callback,
  { changeBody = body => body, onSend }: Delivery = {},
): Promise<CallbackReply> {
  const operation = REPORTS[callback.callbackType];
  if (!operation) return TAKEN;
  const about = { vaspId, verificationUuid: callback.data.verificationUuid };
  try {
    const verification = await foreign.call('get-verification', about);
    if (isReported(callback, verification)) return TAKEN;
    const body = changeBody(JSON.stringify(callback.data));
    onSend?.(body);
    await foreign.call(operation, about, body);
    return TAKEN;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!isRefused(error)) throw new BadAnswer(error.message);
    return { status: 400, body: '', refusal: `The enclave refuses the report: ${error.message}` };
  }
}

function isReported({ callbackType, data }: Callback, there: ForeignVerification): boolean {
  if (callbackType === 'TX_REPORT') return there.txHash === data.txHash && (there.vout ?? null) === (data.vout ?? null);
  return callbackType === 'ERROR_REPORT' && there.result === 'ERROR' && there.reason === data.reason;
}

/** Not where the enclave could not be reached, or could not read the request: that may pass. */
const isRefused = (error: unknown): boolean =>
  error instanceof Refusal && error.kind !== 'no-answer' && error.kind !== 'invalid-field';

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
  // A postponed answer comes by a timer, on the clock of the sandbox.
  const end = expiresIn(LONGEST_WAIT_MS);
  while (verifications.find(deps.db, uuid)?.status === 'OPEN' && !end.aborted) await deps.waiters.wait(uuid, end);
  if (verifications.find(deps.db, uuid)?.reason === 'REQUEST-TIMEOUT') throw new NoAnswer(deps.timeoutMs.verifyUser);
  return isPostponed(completion) ? completion.answer : ((await answering) as VaspVerifyUserAnswer);
}

const LONGEST_WAIT_MS = 60_000;

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
