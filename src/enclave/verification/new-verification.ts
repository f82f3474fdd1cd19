import { ASSETS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordBegin } from '../../db/transition.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { addFindings, requestFindings } from '../findings/findings.ts';
import { verificationMachine, verificationStatus } from './machine.ts';
import type { NewVerification } from './store.ts';

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
