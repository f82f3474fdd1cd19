import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { toUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';

const SCALE: Readonly<Record<AssetSymbol, number>> = { ETH: 1e18, XRP: 1e6 };
const WHOLE_XRP = 5;
const MOST_TRIES = 200;

/** An amount with all decimals of the asset that floating point loses: 18 for ETH, 6 for XRP. `nth`: 1 to 9. */
export function exactAmount(ctx: ModuleContext, nth: number): string {
  const { symbol } = ctx;
  const [, tail = ''] = ctx.amountOf(nth).split('.');
  for (let more = 0; more < MOST_TRIES; more++) {
    const text =
      symbol === 'ETH'
        ? `0.01${tail.slice(3)}`.padEnd(17, '7') + more * 2 + 1
        : `${WHOLE_XRP + more}.${tail}`;
    const amount = symbol === 'ETH' ? text.slice(0, 20) : text;
    if (isLost(symbol, amount)) return amount;
  }
  return ctx.skip('No amount was found that floating point loses.');
}

function isLost(symbol: AssetSymbol, amount: string): boolean {
  const units = toUnits(amount, ASSETS[symbol].decimals);
  const floating = Number(amount) * SCALE[symbol];
  return (
    BigInt(Math.trunc(floating)) !== units && (symbol === 'XRP' || BigInt(Math.round(floating)) !== units)
  );
}
