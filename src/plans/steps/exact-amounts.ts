import { type AssetSymbol, toBaseUnits } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';

const SCALE: Readonly<Record<AssetSymbol, number>> = { ETH: 1e18, XRP: 1e6 };
/** One amount of XRP in fifty is lost. */
const MOST_TRIES = 800;

/** An amount with all decimals of the asset that floating point loses: 18 for ETH, 6 for XRP. `nth`: 1 to 9. */
export function exactAmount(ctx: ModuleContext, nth: number): string {
  const [, tail = ''] = ctx.amountOf(nth).split('.');
  for (let more = 0; more < MOST_TRIES; more++) {
    const amount = ctx.symbol === 'ETH' ? etherOf(tail, more) : xrpOf(tail, more);
    if (isLost(ctx.symbol, amount)) return amount;
  }
  return ctx.skip('No amount was found that floating point loses.');
}

/** An odd number of wei beyond 2^53. */
const etherOf = (tail: string, more: number): string =>
  `0.01${tail.slice(3)}`.padEnd(17, '7') + String(2 * more + 1).padStart(3, '0');

/** The last four digits tell the modules of a run apart. */
const xrpOf = (tail: string, more: number): string =>
  `${2 + (more % 8)}.${String((Number(tail.slice(0, 2)) + Math.floor(more / 8)) % 100).padStart(2, '0')}${tail.slice(2)}`;

function isLost(symbol: AssetSymbol, amount: string): boolean {
  const units = toBaseUnits(symbol, amount);
  const floating = Number(amount) * SCALE[symbol];
  if (symbol === 'XRP') return BigInt(Math.trunc(floating)) !== units;
  return BigInt(Math.round(floating)) !== units && String(Number(amount)) !== amount;
}
