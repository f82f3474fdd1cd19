import { ASSETS } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import { formatUnits, parseUnits, toUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { askDriver } from './driver-acts.ts';

/** The balance that the tested VASP shows its customer. Only its driver can answer. */

/** A credit that is wrong comes soon after the right one. */
const QUIET_MS = 60;

/** Base units; undefined: no driver tells. */
export async function balanceOf(ctx: ModuleContext, customer: Customer): Promise<bigint | undefined> {
  const outcome = await askDriver(ctx, 'balance', { symbol: ctx.symbol, customer });
  if (outcome?.kind !== 'accepted') return undefined;
  const units = parseUnits(outcome.value ?? '', ASSETS[ctx.symbol].decimals);
  return typeof units === 'bigint' ? units : undefined;
}

export interface Credit {
  customer: Customer;
  before: bigint | undefined;
  /** Decimal text; '0': nothing. */
  amount: string;
  waitMs?: number;
}

/** The balance grows by exactly this amount, and stays there. Without a driver a person must look. */
export async function judgeCredit<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  { customer, before, amount, waitMs = waitOf(ctx) }: Credit,
): Promise<void> {
  const { symbol } = ctx;
  const { decimals } = ASSETS[symbol];
  const expected = `+${amount} ${symbol}`;
  if (before === undefined) {
    const what = amount === '0' ? 'must be unchanged' : `must have grown by ${amount} ${symbol}, once`;
    return ctx.review(word, `Look at the balance of customer ${customer.id}: it ${what}.`);
  }
  const wanted = before + toUnits(amount, decimals);
  let last: bigint | undefined;
  await ctx.until(waitMs, async () => {
    last = await balanceOf(ctx, customer);
    return last === wanted || undefined;
  });
  if (last === wanted) {
    await ctx.until(QUIET_MS, () => undefined);
    last = await balanceOf(ctx, customer);
  }
  const got =
    last === undefined
      ? 'no balance'
      : `${last < before ? '' : '+'}${formatUnits(last - before, decimals)} ${symbol}`;
  ctx.check(word, last === wanted, { expected, got });
}

/** Nothing is credited now; a payment that comes later must find the balance unchanged. */
export const judgeNoCredit = <W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  credit: Omit<Credit, 'amount'>,
): Promise<void> => judgeCredit(ctx, word, { ...credit, amount: '0', waitMs: 0 });

const waitOf = ({ world }: ModuleContext): number => world.waitMs;
