import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { type Verdict, verdict } from '../../contract/clauses.ts';
import { refusals } from '../../contract/refusals.ts';
import { keepRequestedData } from '../../contract/requested-data.ts';
import type {
  VerifyAccountAnswer,
  VerifyAccountRequest,
  VerifyUserAnswer,
  VerifyUserRequest,
} from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { visibleNearMiss } from '../../contract/text.ts';
import {
  isAccountNumberChanged,
  type VaspVerifyAccountAnswer,
  type VaspVerifyUserAnswer,
  type VaspVerifyUserRequest,
} from '../../contract/vasp-api.ts';
import { isClosing } from '../../db/closing.ts';
import { groupCommit, type Tx } from '../../db/transaction.ts';
import { recordBegin, recordEvent } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { applyEffects, BadAnswer, type Effects, isPostponed, NoAnswer, type Postponed } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps, nowFor } from '../deps.ts';
import { addFindings, answerFindings, requestFindings } from '../findings/findings.ts';
import type { RegisteredVasp, VaspStore } from '../vasps/store.ts';
import {
  assetInfoOf,
  type Completion,
  completeOpen,
  insertCompleted,
  scheduleTimeOut,
  timedOut,
  verificationTimer,
} from './complete.ts';
import { verificationMachine, verificationStatus } from './machine.ts';
import { countOne } from './sides-store.ts';
import type { NewVerification, Verification } from './store.ts';
import * as verifications from './store.ts';

/** The beneficiary VASP judges whether the symbol is supported (D-06). */
export function refuseTooManyDecimals({ assetInfo: { symbol, amount } }: VerifyUserRequest): void {
  if (!isAssetSymbol(symbol)) return;
  const { decimals } = ASSETS[symbol];
  if (typeof parseUnits(amount, decimals) !== 'bigint')
    throw refusals.invalidField('assetInfo.amount', `should have at most ${decimals} decimals`);
}

export function newVerification(
  deps: EnclaveDeps,
  { assetInfo, keyType, requiredBeneficiaryInfo, beneficiaryVaspId, payload }: VerifyUserRequest,
  caller: string,
  uuid: string,
): NewVerification {
  const { originator, beneficiary } = payload.ivms101;
  const originatorAccount = originator.accountNumber[0]!;
  const beneficiaryAccount = beneficiary.accountNumber[0]!;
  return {
    uuid,
    status: verificationMachine.initial,
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
    personNames: personNames([originator, beneficiary]),
    createdAt: nowFor(deps, caller, beneficiaryVaspId),
    ...assetInfo,
  };
}

/** The first line of its history, and the findings on its request. */
export function recordRequest(
  deps: EnclaveDeps,
  tx: Tx,
  request: VerifyUserRequest,
  verification: NewVerification,
): void {
  const { uuid, originatingVaspId, createdAt } = verification;
  recordBegin(tx, verificationStatus, verification, createdAt);
  const of = { verificationUuid: uuid, vaspId: originatingVaspId, at: createdAt };
  addFindings(deps, tx, of, () => requestFindings(request, deps.thresholds, createdAt));
}

const NAMES = new Set(['primaryIdentifier', 'secondaryIdentifier', 'legalPersonName']);

/** The names in IVMS101 data, wherever they stand. */
function personNames(data: object): string {
  const names: string[] = [];
  collect(data, names);
  return names.join(' ');
}

function collect(data: object, names: string[]): void {
  for (const [member, inner] of Object.entries(data))
    if (typeof inner === 'object' && inner !== null) collect(inner, names);
    else if (NAMES.has(member) && typeof inner === 'string') names.push(inner);
}

/** What the enclave makes of the beneficiary VASP's answer, and what a resident VASP stores with it. */
interface Reply {
  effects: Effects;
  completion: Completion | Postponed;
}

/** Asks the beneficiary VASP. Rethrows every error but NoAnswer and BadAnswer. */
async function ask(deps: EnclaveDeps, verification: NewVerification): Promise<Reply> {
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

function completionOf(verification: NewVerification, answer: VaspVerifyUserAnswer): Completion {
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
    } else {
      const row = verifications.insert(tx, verification);
      scheduleTimeOut(deps, tx, row);
      scheduleAsk(deps, tx, row);
    }
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

type Ask = TimerPayloads['enclave.verification.ask'];

export function scheduleAsk(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  const timer = { ...verificationTimer(deps, row), dueAt: row.createdAt };
  deps.timers.schedule(tx, 'enclave.verification.ask', timer);
}

/** Timer `enclave.verification.ask`: asks the beneficiary VASP once. Its answer completes the verification (D-12). */
export async function askBeneficiary(deps: EnclaveDeps, { uuid, answer: postponedAnswer }: Ask): Promise<Outcome<Ask>> {
  const row = verifications.find(deps.db, uuid);
  if (!row) return {};
  const now = () => nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);
  if (row.status !== 'OPEN') {
    const cause = 'the beneficiary VASP answered after the time limit, so its answer is ignored';
    return { apply: tx => recordEvent(tx, verificationStatus, row, 'late-answer', { at: now(), cause }) };
  }
  if (postponedAnswer) return { apply: tx => completeOpen(deps, tx, uuid, completionOf(row, postponedAnswer)) };
  // It was suspended after the verification was opened. The time-out ends it.
  if (!deps.vasps.isActive(row.beneficiaryVaspId)) return {};
  const { effects, completion } = await ask(deps, row);
  if (isPostponed(completion) && now() < row.createdAt + completion.postponedMs)
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

/** The VASP that `caller` names as beneficiary. Throws `Refusal` unknown-vasp, vasp-not-active, invalid-field. */
function requireBeneficiaryVasp(store: VaspStore, beneficiaryVaspId: string, caller: string): RegisteredVasp {
  const vasp = store.find(beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  if (!vasp.isActive) throw refusals.vaspNotActive();
  if (vasp.vaspId === caller) throw refusals.invalidField('beneficiaryVaspId', 'should be another VASP');
  return vasp;
}
