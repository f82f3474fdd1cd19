import { type AssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';

const SCALE: Readonly<Record<AssetSymbol, number>> = { ETH: 1e18, XRP: 1e6 };

/** An amount with all decimals of the asset that floating point loses: 18 for ETH, 6 for XRP. */
export function exactAmount(ctx: ModuleContext, nth: number): string {
  const { symbol } = ctx;
  for (let units = leastOf(symbol, toBaseUnits(symbol, ctx.amountOf(nth))); ; units++) {
    const amount = toCoins(symbol, units);
    if (units % 10n !== 0n && isLost(symbol, amount)) return amount;
  }
}

/** More than 2^53 wei; 16 to 16.777 XRP, where floating point loses one drop in five. */
const leastOf = (symbol: AssetSymbol, units: bigint): bigint =>
  symbol === 'ETH' ? units + 10n ** 16n + 7_777n : (units * 2n) / 5n + 14_400_000n;

function isLost(symbol: AssetSymbol, amount: string): boolean {
  const units = toBaseUnits(symbol, amount);
  const floating = Number(amount) * SCALE[symbol];
  if (symbol === 'XRP') return BigInt(Math.trunc(floating)) !== units;
  return BigInt(Math.round(floating)) !== units && String(Number(amount)) !== amount;
}
