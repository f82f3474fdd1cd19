import type { Is } from './wrongs.ts';

const DECIMALS: Record<string, number> = { ETH: 18, XRP: 6 };
export function unitsOf(symbol: string, text: string): bigint {
  const [whole = '0', rest = ''] = text.split('.');
  return BigInt(whole + rest.padEnd(DECIMALS[symbol]!, '0'));
}
export const inFloats = (symbol: string, text: string): bigint =>
  BigInt(Math.trunc(Number(text) * 10 ** DECIMALS[symbol]!));

export function paidUnits(is: Is, { symbol, amount }: { symbol: string; amount: string }): bigint {
  if (is('pays in floating point')) return inFloats(symbol, amount);
  if (is('pays a whole amount without its zeros')) return unitsOf(symbol, amount.replace(/0+$/, ''));
  const units = unitsOf(symbol, amount);
  return is('pays in machine words') ? BigInt.asUintN(symbol === 'ETH' ? 64 : 32, units) : units;
}
