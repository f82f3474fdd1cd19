import type { Person } from '../../contract/ivms101.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import { toIso } from '../../kernel/clock.ts';
import type { NewVerification, Verification } from './store.ts';

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

/** REF-2.2. An open verification has no result and no reason (D-02). */
export const present = (row: Verification): VerificationResult => ({
  verificationId: String(row.id),
  verificationUuid: row.uuid,
  ...(row.status === 'OPEN' ? {} : { result: row.status, reason: row.reason! }),
  message: row.message,
  assetInfo: assetInfoOf(row),
  txHash: row.txHash,
  vout: row.vout,
  originatingVaspId: row.originatingVaspId,
  originatorAccountNumber: row.originatorAccountNumber,
  ivms101Originator: JSON.stringify(row.ivms101Originator),
  ivms101OriginatingVasp: JSON.stringify(vaspPerson(row.originatingVaspName)),
  beneficiaryVaspId: row.beneficiaryVaspId,
  beneficiaryAccountNumber: row.beneficiaryAccountNumber,
  ivms101Beneficiary: JSON.stringify(row.ivms101Answer ?? row.ivms101Beneficiary),
  ivms101BeneficiaryVasp: JSON.stringify(vaspPerson(row.beneficiaryVaspName)),
  verifiedAt: isoOrNull(row.verifiedAt),
  orderedAt: isoOrNull(row.orderedAt),
  createdAt: toIso(row.createdAt),
});

export const assetInfoOf = (row: NewVerification): VerificationResult['assetInfo'] => ({
  symbol: row.symbol,
  ...(row.network == null ? {} : { network: row.network }),
  amount: row.amount,
  isExceedingThreshold: row.isExceedingThreshold,
  tradePrice: row.tradePrice,
  tradeCurrency: row.tradeCurrency,
  tradeISODatetime: row.tradeISODatetime,
});

export const vaspPerson = (name: string): Person => ({
  legalPerson: { name: { nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: 'LEGL' }] } },
});
