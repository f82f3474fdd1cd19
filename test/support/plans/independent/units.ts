const DECIMALS: Record<string, number> = { ETH: 18, XRP: 6 };
export function unitsOf(symbol: string, text: string): bigint {
  const [whole = '0', rest = ''] = text.split('.');
  return BigInt(whole + rest.padEnd(DECIMALS[symbol]!, '0'));
}
export const inFloats = (symbol: string, text: string): bigint =>
  BigInt(Math.trunc(Number(text) * 10 ** DECIMALS[symbol]!));
