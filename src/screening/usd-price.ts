import { multiply } from '../kernel/decimal.ts';

const CENTS = 2;

/** Converts a price to USD, decimal text. Null without a rate for the currency. */
export function usdPrice(rates: Record<string, string>, price: string, currency: string): string | null {
  const code = currency.toUpperCase();
  if (code === 'USD') return price;
  const rate = Object.hasOwn(rates, code) ? rates[code] : undefined;
  return rate === undefined ? null : multiply(price, rate, CENTS);
}
