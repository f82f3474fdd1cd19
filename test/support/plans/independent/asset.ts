import type { Any } from './judge.ts';
import type { Is } from './wrongs.ts';

/** What the independent VASP says about an amount. */

const PRICES: Record<string, number> = { ETH: 3_900_000, XRP: 790 };
const LIMIT = 1_000_000;
const START = new Date();

export function assetOf(is: Is, { symbol, amount, network }: Any) {
  const price = Number(amount) * (PRICES[symbol] ?? 1);
  const isOver = price >= LIMIT;
  return {
    symbol,
    ...(network ? { network } : {}),
    amount: is('asks in floating point')
      ? String(Number(amount))
      : is('writes amounts with an exponent')
        ? Number(amount).toExponential()
        : amount,
    isExceedingThreshold: is('exceeds only above the threshold')
      ? Number(price.toFixed(2)) > LIMIT
      : is('says the opposite of the threshold')
        ? !isOver
        : is('always exceeds the threshold') || (isOver && !is('never exceeds the threshold')),
    tradePrice: price.toFixed(2),
    tradeCurrency: 'KRW',
    tradeISODatetime: timeNow(is),
  };
}

export function timeNow(is: Is): string {
  const text = (is('writes one time for everything') ? START : new Date()).toISOString();
  return is('writes times without milliseconds') ? text.replace(/\.\d+/, '') : text;
}
