import { multiply } from '../kernel/decimal.ts';

const CENTS = 2;

/** A price in USD, decimal text: as it stands when it is in USD, by the rate of its currency; null without a rate. */
export function usdPrice(rates: Record<string, string>, price: string, currency: string): string | null {
  const code = currency.toUpperCase();
  if (code === 'USD') return price;
  const rate = Object.hasOwn(rates, code) ? rates[code] : undefined;
  return rate === undefined ? null : multiply(price, rate, CENTS);
}
