import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest, VerifyUserResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { groupCommit } from '../../db/group-commit.ts';
import type { Tx } from '../../db/transaction.ts';
import { begin } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import { isPostponed } from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { addRemarks } from '../remarks/add.ts';
import { requestFindings } from '../remarks/request.ts';
import { requireBeneficiaryVasp } from '../vasps/require-beneficiary-vasp.ts';
import { ask, askAgain, type Reply } from './ask-beneficiary.ts';
import { type CompleteDeps, complete, insertCompleted } from './complete.ts';
import { verificationMachine, verificationStatus } from './machine.ts';
import { scheduleTimeOut, verificationTimer } from './schedule-time-out.ts';
import type { NewVerification, Verification } from './store.ts';

type Deps = CompleteDeps & Pick<EnclaveDeps, 'db' | 'directory' | 'random' | 'thresholds' | 'vasps'>;

/**
 * WIRE-2.4: opens a verification. A resident beneficiary VASP answers in that transaction. Any other one is asked by a timer
 * that commits with the row. `alongside` runs in the same transaction.
 */
export async function verifyUser(
  deps: Deps,
  request: VerifyUserRequest,
  caller: CallerId,
  alongside: (tx: Tx, response: VerifyUserResponse) => void = () => {},
): Promise<VerifyUserResponse> {
  refuseTooManyDecimals(request);
  const { vaspId } = requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  const verification = newVerification(deps, request, caller, deps.random.uuid());
  const { uuid, createdAt } = verification;
  const response = { verificationUuid: uuid, createdAt: toIso(createdAt) };
  const reply = answersAtOnce(deps, caller, vaspId) ? await replyOf(deps, verification) : undefined;
  return groupCommit(deps.db, tx => {
    recordOpening(deps, tx, request, verification);
    store(deps, tx, verification, reply);
    alongside(tx, response);
    return response;
  });
}

/** The beneficiary VASP judges whether the symbol is supported (D-06). */
export function refuseTooManyDecimals({ assetInfo: { symbol, amount } }: VerifyUserRequest): void {
  if (!isAssetSymbol(symbol)) return;
  const { decimals } = ASSETS[symbol];
  if (typeof parseUnits(amount, decimals) !== 'bigint')
    throw refusals.invalidField('assetInfo.amount', `should have at most ${decimals} decimals`);
}

export function newVerification(
  deps: Deps,
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
    createdAt: nowFor(deps, caller, beneficiaryVaspId),
    ...assetInfo,
  };
}

/** An ordered fault is recorded in the history of the verification, which has to be open then. */
const answersAtOnce = (deps: Deps, caller: string, beneficiaryVaspId: string): boolean =>
  deps.directory.isResident(beneficiaryVaspId) && !deps.faults.isArmed(caller);

/** Undefined: the VASP cannot answer now. A timer asks it again. */
async function replyOf(deps: Deps, verification: NewVerification): Promise<Reply | undefined> {
  try {
    return await ask(deps, verification);
  } catch {
    return undefined;
  }
}

/** Stores it with the remarks on its request. It needs an answer, or a timer. */
export function openVerification(
  deps: Deps,
  tx: Tx,
  request: VerifyUserRequest,
  verification: NewVerification,
): Verification {
  recordOpening(deps, tx, request, verification);
  return deps.verifications.insert(tx, verification);
}

function recordOpening(deps: Deps, tx: Tx, request: VerifyUserRequest, verification: NewVerification): void {
  const { uuid, originatingVaspId, createdAt } = verification;
  begin(tx, verificationStatus, verification, createdAt, 'user verification requested');
  const of = { verificationUuid: uuid, vaspId: originatingVaspId, at: createdAt };
  addRemarks(deps, tx, of, () => requestFindings(request, deps.thresholds, createdAt));
}

/** With its answer, or with the timer that asks for it. */
function store(deps: Deps, tx: Tx, verification: NewVerification, reply: Reply | undefined): void {
  if (reply && !isPostponed(reply.outcome)) {
    for (const effect of reply.effects) effect(tx);
    return insertCompleted(deps, tx, verification, reply.outcome);
  }
  const row = deps.verifications.insert(tx, verification);
  if (reply) takeReply(deps, tx, row, reply);
  else scheduleAsk(deps, tx, row);
}

export function takeReply(deps: Deps, tx: Tx, row: Verification, { effects, outcome }: Reply): void {
  for (const effect of effects) effect(tx);
  if (!isPostponed(outcome)) return complete(deps, tx, row, outcome);
  scheduleTimeOut(deps, tx, row);
  if (!Number.isFinite(outcome.postponedMs)) return;
  const { againAt: dueAt, ...again } = askAgain(row, outcome);
  deps.timers.schedule(tx, 'enclave.verification.ask', { ...verificationTimer(deps, row), dueAt, ...again });
}

function scheduleAsk(deps: Deps, tx: Tx, row: Verification): void {
  scheduleTimeOut(deps, tx, row);
  const timer = { ...verificationTimer(deps, row), dueAt: row.createdAt, why: 'ask the beneficiary VASP' };
  deps.timers.schedule(tx, 'enclave.verification.ask', timer);
}
