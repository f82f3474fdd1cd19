import type { Person } from '../../contract/ivms101.ts';
import { refusals } from '../../contract/refusals.ts';
import type { ListQuery, ListResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { VerificationResult } from '../../contract/verification.ts';
import { toIso } from '../../kernel/clock.ts';
import type { EnclaveDeps } from '../deps.ts';
import { page } from './list-store.ts';
import type { NewVerification, Verification } from './store.ts';
import * as verifications from './store.ts';

/** REF-4.4: only the two VASPs of a verification learn that it exists. */
export function requireVerification(deps: EnclaveDeps, uuid: string, caller: CallerId): Verification {
  const row = verifications.findOf(deps.db, uuid, caller);
  if (!row) throw refusals.verificationMissing(uuid);
  return row;
}

/**
 * REF-7: a VASP that has another part, or none, is told VASP-NOT-MATCHED by the operation. In hosted mode a verification
 * of others does not exist.
 */
export function requireForAction(deps: EnclaveDeps, uuid: string, caller: CallerId): Verification {
  if (deps.isHosted) return requireVerification(deps, uuid, caller);
  const row = verifications.find(deps.db, uuid);
  if (!row) throw refusals.verificationMissing(uuid);
  return row;
}

export const get = (deps: EnclaveDeps, uuid: string, caller: CallerId): VerificationResult =>
  present(requireVerification(deps, uuid, caller));

/** WIRE-2.5, D-04: newest first. Throws `Refusal` invalid-field. */
export function list(deps: EnclaveDeps, query: ListQuery, caller: CallerId): ListResponse {
  const { count, rows } = page(deps.db, query, caller);
  return { count, page: query.page, rpp: query.rpp, verifications: rows.map(present) };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

/** REF-2.2. An open verification has no result and no reason (D-02). */
const present = (row: Verification): VerificationResult => ({
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
