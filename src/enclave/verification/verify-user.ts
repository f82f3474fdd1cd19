import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest, VerifyUserResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { groupCommit } from '../../db/group-commit.ts';
import type { Tx } from '../../db/transaction.ts';
import { begin } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import { isPostponed, type Postponed } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps, nowFor } from '../deps.ts';
import { addRemarks } from '../remarks/add.ts';
import { requestFindings } from '../remarks/request.ts';
import { requireBeneficiaryVasp } from '../vasps/require-beneficiary-vasp.ts';
import { ask, type Questioned, type Reply, runAgain } from './ask-beneficiary.ts';
import { complete } from './complete.ts';
import { verificationMachine, verificationStatus } from './machine.ts';
import type { Verification } from './store.ts';

/**
 * WIRE-2.4: opens a verification. A resident beneficiary VASP answers in that transaction. Any other one is asked by a timer
 * that commits with the row. `alongside` runs in the same transaction.
 */
export async function verifyUser(
  deps: EnclaveDeps,
  request: VerifyUserRequest,
  caller: CallerId,
  alongside: (tx: Tx, response: VerifyUserResponse) => void = () => {},
): Promise<VerifyUserResponse> {
  refuseTooManyDecimals(request);
  const { vaspId } = requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  const createdAt = nowFor(deps, caller, vaspId);
  const verification = newVerification(deps, request, caller, createdAt);
  const { uuid } = verification;
  const response = { verificationUuid: uuid, createdAt: toIso(createdAt) };
  const reply = answersAtOnce(deps, caller, vaspId) ? await replyOf(deps, verification) : undefined;
  return groupCommit(deps.db, tx => {
    const row = deps.verifications.insert(tx, verification);
    begin(tx, verificationStatus, row, createdAt, 'user verification requested');
    const of = { verificationUuid: uuid, vaspId: caller, at: createdAt };
    addRemarks(deps, tx, of, () => requestFindings(request, deps.thresholds, createdAt));
    if (reply) takeReply(deps, tx, row, reply);
    else scheduleAsk(deps, tx, row);
    alongside(tx, response);
    return response;
  });
}

/** An ordered fault is recorded in the history of the verification, which has to be open then. */
const answersAtOnce = (deps: EnclaveDeps, caller: string, beneficiaryVaspId: string): boolean =>
  deps.directory.isResident(beneficiaryVaspId) && !deps.faults.isArmed(caller);

/** Undefined: the VASP cannot answer now. A timer asks it again. */
async function replyOf(deps: EnclaveDeps, verification: Questioned): Promise<Reply | undefined> {
  try {
    return await ask(deps, verification);
  } catch {
    return undefined;
  }
}

function takeReply(deps: EnclaveDeps, tx: Tx, row: Verification, { effects, answer }: Reply): void {
  for (const effect of effects) effect(tx);
  if (!isPostponed(answer)) return void complete(deps, tx, row, answer);
  scheduleTimeOut(deps, tx, row);
  if (Number.isFinite(answer.postponedMs)) scheduleAnswer(deps, tx, row, answer);
}

function scheduleAnswer(deps: EnclaveDeps, tx: Tx, row: Verification, postponed: Postponed): void {
  const { againAt: dueAt, why, payload } = runAgain(row, postponed);
  deps.timers.schedule(tx, 'enclave.verification.ask', { ...answerTimer(deps, row), dueAt, why, payload });
}

function newVerification(
  deps: EnclaveDeps,
  { assetInfo, keyType, requiredBeneficiaryInfo, beneficiaryVaspId, payload }: VerifyUserRequest,
  caller: CallerId,
  createdAt: number,
): Questioned {
  const { originator, beneficiary } = payload.ivms101;
  const originatorAccount = originator.accountNumber[0]!;
  const beneficiaryAccount = beneficiary.accountNumber[0]!;
  return {
    uuid: deps.random.uuid(),
    status: verificationMachine.initial,
    reason: null,
    message: '',
    keyType,
    requiredBeneficiaryInfo,
    originatingVaspId: caller,
    originatorAccountNumber: originatorAccount,
    originatorAccountKey: accountKey(assetInfo.symbol, originatorAccount),
    beneficiaryVaspId,
    beneficiaryAccountNumber: beneficiaryAccount,
    beneficiaryAccountKey: accountKey(assetInfo.symbol, beneficiaryAccount),
    payloadVersion: payload.version,
    ivms101Originator: originator,
    originatingVaspName: deps.vasps.nameOf(caller),
    ivms101Beneficiary: beneficiary,
    beneficiaryVaspName: deps.vasps.nameOf(beneficiaryVaspId),
    createdAt,
    symbol: assetInfo.symbol,
    network: assetInfo.network ?? null,
    amount: assetInfo.amount,
    isExceedingThreshold: assetInfo.isExceedingThreshold,
    tradePrice: assetInfo.tradePrice,
    tradeCurrency: assetInfo.tradeCurrency,
    tradeISODatetime: assetInfo.tradeISODatetime,
    txHash: null,
    vout: null,
    ivms101Answer: null,
    errorReport: null,
    isCredited: false,
    verifiedAt: null,
    orderedAt: null,
  };
}

function scheduleAsk(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  scheduleTimeOut(deps, tx, row);
  const timer = { ...answerTimer(deps, row), dueAt: row.createdAt, why: 'ask the beneficiary VASP' };
  deps.timers.schedule(tx, 'enclave.verification.ask', timer);
}

/** D-12 */
function scheduleTimeOut(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  deps.timers.schedule(tx, 'enclave.verification.time-out', timeOutTimer(deps, row));
}

/** The reset of a VASP has deleted its timers. Its open verifications with others get theirs again. */
export function timeOutOpen(deps: EnclaveDeps, tx: Tx, vaspId: string): void {
  for (const row of deps.verifications.openFrom(vaspId))
    deps.timers.ensure(tx, 'enclave.verification.time-out', timeOutTimer(deps, row));
}

const timeOutTimer = (deps: EnclaveDeps, row: Verification) => ({
  dueAt: row.createdAt + deps.timeoutMs.verifyUser,
  why: 'will time out unless the beneficiary VASP answers',
  ...answerTimer(deps, row),
});

const answerTimer = (deps: EnclaveDeps, { uuid, originatingVaspId, beneficiaryVaspId }: Verification) => ({
  key: uuid,
  owner: clockOwner(deps, originatingVaspId, beneficiaryVaspId),
  queue: `verification ${uuid}`,
  payload: { uuid },
});

/** The beneficiary VASP judges whether the symbol is supported (D-06). */
function refuseTooManyDecimals({ assetInfo: { symbol, amount } }: VerifyUserRequest): void {
  if (!isAssetSymbol(symbol)) return;
  const { decimals } = ASSETS[symbol];
  if (typeof parseUnits(amount, decimals) !== 'bigint')
    throw refusals.invalidField('assetInfo.amount', `should have at most ${decimals} decimals`);
}
