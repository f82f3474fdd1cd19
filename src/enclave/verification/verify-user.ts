import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest, VerifyUserResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { withDefaults } from '../../db/prepared-statements.ts';
import type { RemarkFinding } from '../../db/remarks.ts';
import { verifications } from '../../db/schema/enclave.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { begin, draft } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { AnswerNow } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps, nowFor } from '../deps.ts';
import { addRemarks } from '../remarks/add.ts';
import { requestFindings } from '../remarks/request.ts';
import { requireBeneficiaryVasp } from '../vasps/require-beneficiary-vasp.ts';
import { judgeAnswer, requestFor } from './ask-beneficiary.ts';
import { complete } from './complete.ts';
import { verificationMachine, verificationStatus } from './machine.ts';
import type { NewVerification, Verification } from './store.ts';

/** WIRE-2.4: opens a verification. A timer that commits with the row asks the beneficiary VASP. */
export const verifyUser = (
  deps: EnclaveDeps,
  request: VerifyUserRequest,
  caller: CallerId,
): VerifyUserResponse => open(deps, opening(deps, request, caller), undefined);

/**
 * The same in two steps: the answered function opens the verification. A resident VASP may answer in that transaction, and
 * no timer asks it.
 */
export async function prepareVerification(
  deps: EnclaveDeps,
  request: VerifyUserRequest,
  caller: CallerId,
): Promise<() => VerifyUserResponse> {
  const prepared = opening(deps, request, caller);
  const { row } = prepared;
  const answerNow = await deps.directory.find(row.beneficiaryVaspId)?.answerNow?.(requestFor(row));
  return () => open(deps, prepared, answerNow);
}

interface Opening {
  row: Verification;
  findings: () => RemarkFinding[];
}

function opening(deps: EnclaveDeps, request: VerifyUserRequest, caller: CallerId): Opening {
  refuseTooManyDecimals(request);
  const { vaspId } = requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  const createdAt = nowFor(deps, caller, vaspId);
  const row = withDefaults(verifications, newVerification(deps, request, caller, createdAt));
  return { row, findings: () => requestFindings(request, deps.thresholds) };
}

function open(
  deps: EnclaveDeps,
  { row, findings }: Opening,
  answerNow: AnswerNow | undefined,
): VerifyUserResponse {
  const { uuid, originatingVaspId: vaspId, createdAt: at } = row;
  write(deps.db, tx => {
    const opened = draft({ ...row, id: deps.verifications.nextId(tx) });
    begin(tx, verificationStatus, opened, at, 'user verification requested');
    addRemarks(deps, tx, { verificationUuid: uuid, vaspId, at }, findings);
    scheduleTimeOut(deps, tx, opened);
    if (!answerNow) scheduleAsk(deps, tx, opened);
    if (answerNow) complete(deps, tx, opened, judgeAnswer(opened, answerNow(tx)));
    deps.verifications.insert(tx, opened);
  });
  return { verificationUuid: uuid, createdAt: toIso(at) };
}

function newVerification(
  deps: EnclaveDeps,
  { assetInfo, keyType, requiredBeneficiaryInfo, beneficiaryVaspId, payload }: VerifyUserRequest,
  caller: CallerId,
  createdAt: number,
): NewVerification {
  const { originator, beneficiary } = payload.ivms101;
  const originatorAccount = originator.accountNumber[0]!;
  const beneficiaryAccount = beneficiary.accountNumber[0]!;
  return {
    uuid: deps.random.uuid(),
    status: verificationMachine.initial,
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
  };
}

function scheduleAsk(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  const timer = { ...answerTimer(deps, row), dueAt: row.createdAt, why: 'ask the beneficiary VASP' };
  deps.timers.schedule(tx, 'enclave.verification.ask', timer);
}

/** D-12 */
function scheduleTimeOut(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  deps.timers.schedule(tx, 'enclave.verification.time-out', { isFirst: true, ...timeOutTimer(deps, row) });
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
