import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import type { Person } from '../../contract/ivms101.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest, VerifyUserResponse } from '../../contract/requests.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { begin } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import { addRemarks } from '../remarks/add.ts';
import { requestFindings } from '../remarks/request.ts';
import { requireBeneficiaryVasp } from '../vasps/require-beneficiary-vasp.ts';
import { verificationMachine, verificationStatus } from './machine.ts';
import type { NewVerification, Verification } from './store.ts';

/** WIRE-2.4: opens a verification. A timer that commits with the row asks the beneficiary VASP. */
export function verifyUser(
  deps: EnclaveDeps,
  request: VerifyUserRequest,
  caller: string,
): VerifyUserResponse {
  refuseTooManyDecimals(request);
  const { vaspId } = requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  const owner = clockOwner(deps, caller, vaspId);
  const createdAt = deps.clock.now(owner);
  const verification = newVerification(deps, request, caller, createdAt);
  write(deps.db, tx => {
    const row = deps.verifications.insert(tx, verification);
    begin(tx, verificationStatus, row, createdAt, 'user verification requested');
    const of = { verificationUuid: row.uuid, vaspId: caller, at: createdAt };
    addRemarks(deps, tx, of, requestFindings(request, deps.thresholds));
    scheduleAnswer(deps, tx, row, owner);
  });
  return { verificationUuid: verification.uuid, createdAt: toIso(createdAt) };
}

function newVerification(
  deps: EnclaveDeps,
  { assetInfo, keyType, requiredBeneficiaryInfo, beneficiaryVaspId, payload }: VerifyUserRequest,
  caller: string,
  createdAt: number,
): NewVerification {
  const { originator, beneficiary } = payload.ivms101;
  const originatorAccount = originator.accountNumber[0]!;
  const beneficiaryAccount = beneficiary.accountNumber[0]!;
  return {
    ...assetInfo,
    network: assetInfo.network ?? null,
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
    ivms101OriginatingVasp: legalPersonOf(deps.vasps.nameOf(caller)),
    ivms101Beneficiary: beneficiary,
    ivms101BeneficiaryVasp: legalPersonOf(deps.vasps.nameOf(beneficiaryVaspId)),
    createdAt,
  };
}

/** Two timers: one asks the beneficiary VASP now, one ends the wait for its answer (D-12). */
function scheduleAnswer(
  { timers, timeoutMs }: EnclaveDeps,
  tx: Tx,
  { uuid, createdAt }: Verification,
  owner: string,
): void {
  const timer = { key: uuid, owner, lane: `verification ${uuid}`, payload: { uuid } };
  timers.schedule(tx, 'enclave.verification.ask', {
    ...timer,
    dueAt: createdAt,
    why: 'ask the beneficiary VASP',
  });
  timers.schedule(tx, 'enclave.verification.time-out', {
    ...timer,
    dueAt: createdAt + timeoutMs.verifyUser,
    why: 'will time out unless the beneficiary VASP answers',
  });
}

/** The beneficiary VASP judges whether the symbol is supported (D-06). */
function refuseTooManyDecimals({ assetInfo: { symbol, amount } }: VerifyUserRequest): void {
  if (!isAssetSymbol(symbol)) return;
  const { decimals } = ASSETS[symbol];
  if (typeof parseUnits(amount, decimals) !== 'bigint')
    throw refusals.invalidField('assetInfo.amount', `should have at most ${decimals} decimals`);
}

/** A VASP as an IVMS101 person. */
const legalPersonOf = (name: string): Person => ({
  legalPerson: {
    name: { nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: 'LEGL' }] },
  },
});
