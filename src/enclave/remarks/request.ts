import type { AssetInfo } from '../../contract/asset-info.ts';
import { checkPayload } from '../../contract/ivms101-check/check-payload.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { isAtLeast } from '../../kernel/decimal.ts';
import type { RemarkFinding } from '../../remarks/store.ts';
import { flawFindings } from './ivms101-flaws.ts';
import { nameTypeFindings } from './name-types.ts';

/** Decimal text by currency: from this price on a transfer exceeds the threshold. */
export type Thresholds = Readonly<Record<string, string>>;

/** D-27: what is wrong with the request of an originating VASP although it is served. `now`: its time. */
export const requestFindings = (
  { assetInfo, payload: { ivms101 } }: VerifyUserRequest,
  thresholds: Thresholds,
  now: number,
): RemarkFinding[] => [
  ...nameTypeFindings(ivms101.originator.originatorPersons, 'ivms101.originator.originatorPersons'),
  ...nameTypeFindings(ivms101.beneficiary.beneficiaryPersons, 'ivms101.beneficiary.beneficiaryPersons'),
  ...flawFindings(checkPayload({ ivms101 }, now).flaws),
  ...thresholdFindings(assetInfo, thresholds),
];

/** REF-2.2: the price decides. A currency without a threshold is not checked. */
function thresholdFindings(
  { isExceedingThreshold, tradePrice, tradeCurrency }: AssetInfo,
  thresholds: Thresholds,
): RemarkFinding[] {
  const currency = tradeCurrency.toUpperCase();
  const threshold = Object.hasOwn(thresholds, currency) ? thresholds[currency]! : undefined;
  if (threshold === undefined) return [];
  const isExceeding = isAtLeast(tradePrice, threshold);
  if (isExceeding === isExceedingThreshold) return [];
  const price = `${tradePrice} ${currency} is ${isExceeding ? 'not less' : 'less'} than ${threshold} ${currency}`;
  return [
    {
      code: 'THRESHOLD-WRONG',
      field: 'assetInfo.isExceedingThreshold',
      expected: `${isExceeding}: ${price}`,
      got: String(isExceedingThreshold),
    },
  ];
}
