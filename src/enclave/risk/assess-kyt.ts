import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { AssessKytRequest } from '../../contract/requests.ts';
import type { AssessmentRegistered } from '../../contract/risk.ts';
import { toIso } from '../../kernel/clock.ts';
import { usdPrice } from '../../screening/usd-price.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { type AssessmentContext, assessmentContext } from './assessment-context.ts';
import type { KytRequest } from './present.ts';
import { registerAssessment } from './register-assessment.ts';

/** REF-4.2: the address before a withdrawal, or the reported transaction. */
export async function assessKyt(
  deps: EnclaveDeps,
  { verificationUuid, network }: AssessKytRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const question = assessmentContext(deps, 'kyt', verificationUuid, caller);
  return registerAssessment(deps, question, requestOf(deps, question, network));
}

function requestOf(
  deps: EnclaveDeps,
  { verification, counterparty: cell, address, at }: AssessmentContext<'kyt'>,
  network: string | undefined,
): KytRequest {
  const outputAddress = verification[cell.outputAddress];
  const isTransfer = cell.apiType === 'TRANSFER';
  return {
    apiType: cell.apiType,
    direction: cell.direction,
    asset: verification.symbol,
    amount: verification.amount,
    usdPrice: usdPrice(deps.risk.usdRates, verification.tradePrice, verification.tradeCurrency),
    network: network ?? networkOf(verification),
    outputAddress,
    ...(isTransfer ? { transferRef: `${verification.txHash}:${outputAddress}` } : {}),
    // When the transaction occurred is known from its report alone.
    timestamp: toIso(isTransfer ? verification.orderedAt! : at),
    counterpartyAddress: address,
  };
}

/** REF-4.2: as the verification named it, or derived from the asset. */
function networkOf({ network, symbol }: Verification): string {
  if (network !== null) return network;
  if (isAssetSymbol(symbol)) return ASSETS[symbol].networks[0];
  throw refusals.missingField('network');
}
