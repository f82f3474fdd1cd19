import { systemClock, toIso } from '../kernel/clock.ts';
import { isDecimal, multiply } from '../kernel/decimal.ts';
import type { AssetInfo } from './asset-info.ts';

/** Prices of one coin in the requests of the sandbox. A real VASP takes them from its market. */
const PRICES: Readonly<Record<string, Record<'KRW' | 'EUR', string>>> = {
  ETH: { KRW: '4000000', EUR: '2600' },
  XRP: { KRW: '800', EUR: '0.52' },
};
const DECIMALS = { KRW: 0, EUR: 2 } as const;

/** REF-2.2: the price of an amount, decimal text. */
export function priceOf(symbol: string, amount: string, currency: 'KRW' | 'EUR'): string {
  const price = PRICES[symbol]?.[currency] ?? '1';
  return isDecimal(amount) ? multiply(amount, price, DECIMALS[currency]) : price;
}

/** In euro every amount exceeds the threshold: the European Union has none. `now`: epoch ms. */
export const priceMembers = (
  symbol: string,
  amount: string,
  now = systemClock.now(),
): Omit<AssetInfo, 'symbol' | 'network' | 'amount'> => ({
  isExceedingThreshold: true,
  tradePrice: priceOf(symbol, amount, 'EUR'),
  tradeCurrency: 'EUR',
  tradeISODatetime: toIso(now),
});
