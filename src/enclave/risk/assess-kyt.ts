import { ASSETS, isAssetSymbol, isNetworkOf } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { AssessKytRequest } from '../../contract/requests.ts';
import type { AssessmentRegistered } from '../../contract/risk.ts';
import { toIso } from '../../kernel/clock.ts';
import { multiply } from '../../kernel/decimal.ts';
import type { EnclaveDeps } from '../deps.ts';

import type { Verification } from '../verification/store.ts';
import { type AssessmentContext, assessmentContext } from './assessment.ts';
import { registerAssessment } from './async-assessment.ts';
import type { KytRequest } from './present.ts';

/** REF-4.2: monitors the counterparty's address, or the transaction once it is reported. */
export async function assessKyt(
  deps: EnclaveDeps,
  { verificationUuid, network }: AssessKytRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const context = assessmentContext(deps, 'kyt', verificationUuid, caller);
  return registerAssessment(deps, context, requestFor(deps, context, network));
}

function requestFor(
  deps: EnclaveDeps,
  { verification, counterparty, apiType, address, at }: AssessmentContext,
  network: string | undefined,
): KytRequest {
  refuseOtherNetwork(verification.symbol, network);
  // REF-2.6: the output of the transaction is the account that is paid, in both directions.
  const outputAddress = verification.beneficiaryAccountNumber;
  const txHash = apiType === 'TRANSFER' ? verification.txHash! : undefined;
  return {
    apiType: apiType!,
    direction: counterparty.direction,
    asset: verification.symbol,
    amount: verification.amount,
    usdPrice: usdPrice(deps.risk.usdRates, verification.tradePrice, verification.tradeCurrency),
    network: network ?? networkOf(verification),
    outputAddress,
    ...(txHash === undefined ? {} : { txHash, transferRef: `${txHash}:${outputAddress}` }),
    // D-42: the time of the report, until the block is found.
    timestamp: toIso(txHash !== undefined ? verification.orderedAt! : at),
    counterpartyAddress: address,
  };
}

/** D-43, D-07: a network of another asset would be assessed there. */
function refuseOtherNetwork(symbol: string, network: string | undefined): void {
  if (network === undefined || !isAssetSymbol(symbol) || isNetworkOf(symbol, network)) return;
  const wanted = ASSETS[symbol].networks.map(name => `\`${name}\``).join(' or ');
  throw refusals.invalidField('network', `should be ${wanted}, the network of ${symbol}`);
}

/** REF-4.2: the network of the verification, or else of its asset. */
function networkOf({ network, symbol }: Verification): string {
  if (network !== null) return network;
  if (isAssetSymbol(symbol)) return ASSETS[symbol].networks[0];
  throw refusals.missingField('network');
}

const CENTS = 2;

/** REF-2.6: converts a price to USD, decimal text. Null without a rate for the currency. */
export function usdPrice(rates: Record<string, string>, price: string, currency: string): string | null {
  const code = currency.toUpperCase();
  if (code === 'USD') return price;
  const rate = Object.hasOwn(rates, code) ? rates[code] : undefined;
  return rate === undefined ? null : multiply(price, rate, CENTS);
}
