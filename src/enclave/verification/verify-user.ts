import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest, VerifyUserResponse } from '../../contract/requests.ts';
import { write } from '../../db/transaction.ts';
import { begin } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import { legalPersonOf, requireActiveVasp } from '../vasps/store.ts';
import { verificationMachine, verificationStatus } from './machine.ts';

/** WIRE-2.4: opens a verification. The beneficiary VASP is asked by the timer that commits with the row. */
export function verifyUser(
  deps: EnclaveDeps,
  request: VerifyUserRequest,
  caller: string,
): VerifyUserResponse {
  const { clock, timers, random } = deps;
  refuseWrongAmount(request);
  const beneficiaryVasp = requireActiveVasp(deps.vasps, request.beneficiaryVaspId);
  if (beneficiaryVasp.vaspId === caller)
    throw refusals.invalidField('beneficiaryVaspId', 'should be another VASP');
  const { originator, beneficiary } = request.payload.ivms101;
  const { symbol } = request.assetInfo;
  const [originatorAccount, beneficiaryAccount] = [
    originator.accountNumber[0]!,
    beneficiary.accountNumber[0]!,
  ];
  const owner = clockOwner(deps, caller, beneficiaryVasp.vaspId);
  const createdAt = clock.now(owner);
  const uuid = random.uuid();

  write(deps.db, tx => {
    const row = deps.verifications.insert(tx, {
      ...request.assetInfo,
      network: request.assetInfo.network ?? null,
      uuid,
      status: verificationMachine.initial,
      keyType: request.keyType,
      requiredBeneficiaryInfo: request.requiredBeneficiaryInfo,
      originatingVaspId: caller,
      originatorAccountNumber: originatorAccount,
      originatorAccountKey: accountKey(symbol, originatorAccount),
      beneficiaryVaspId: beneficiaryVasp.vaspId,
      beneficiaryAccountNumber: beneficiaryAccount,
      beneficiaryAccountKey: accountKey(symbol, beneficiaryAccount),
      payloadVersion: request.payload.version,
      ivms101Originator: JSON.stringify(originator),
      ivms101OriginatingVasp: JSON.stringify(legalPersonOf(deps.vasps.nameOf(caller))),
      ivms101Beneficiary: JSON.stringify(beneficiary),
      ivms101BeneficiaryVasp: JSON.stringify(legalPersonOf(beneficiaryVasp.name)),
      createdAt,
    });
    begin(tx, verificationStatus, row, createdAt, 'user verification requested');
    const timer = { key: uuid, owner, lane: `verification ${uuid}`, payload: { uuid } };
    timers.schedule(tx, 'enclave.verification.ask', {
      ...timer,
      dueAt: createdAt,
      why: 'ask the beneficiary VASP',
    });
    timers.schedule(tx, 'enclave.verification.time-out', {
      ...timer,
      dueAt: createdAt + deps.timeoutMs.verifyUser,
      why: 'the beneficiary VASP has not answered in time',
    });
  });
  return { verificationUuid: uuid, createdAt: toIso(createdAt) };
}

/** More decimals than the asset has. What the symbol is worth is the beneficiary VASP's judgement (D-06). */
function refuseWrongAmount({ assetInfo: { symbol, amount } }: VerifyUserRequest): void {
  if (!isAssetSymbol(symbol)) return;
  const { decimals } = ASSETS[symbol];
  if (typeof parseUnits(amount, decimals) !== 'bigint')
    throw refusals.invalidField('assetInfo.amount', `should have at most ${decimals} decimals`);
}
