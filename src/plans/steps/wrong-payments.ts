import { ASSETS } from '../../contract/assets.ts';
import { toUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { balanceNow, growthText, judgeCredit, judgeNoCredit, withoutLate } from './balances.ts';
import { verifiedDeposit } from './robot-asks.ts';
import { ensureAccount, ensureFunds, robotPays } from './robot-pays.ts';

/** Payments that must not be credited. After each a right payment follows: then the VASP has seen the wrong one, too. */

export const WRONG_PAYMENT = {
  'not-credited': { clause: 'WIRE-3.4', text: 'The payment is not credited as if it were right.' },
  'next-credited': { clause: 'REF-4.5', text: 'A right payment after it is credited, once.' },
} as const;
export type Words = 'not-credited' | 'next-credited';

export async function requireFaucet(ctx: ModuleContext): Promise<void> {
  if (!ctx.world.isEmbedded(ctx.symbol))
    ctx.doesNotApply('Only an embedded ledger lets the robot pay wrongly.');
  await ensureFunds(ctx);
  await ensureAccount(ctx, ctx.accountOf(ctx.customer()));
}

export const unitsOf = ({ symbol }: ModuleContext, amount: string): bigint =>
  toUnits(amount, ASSETS[symbol].decimals);

/** `before`: what the balance is without the wrong payment. */
export async function judgeAfterRightPayment(
  ctx: ModuleContext<Words>,
  before: bigint | undefined,
  right = ctx.amountOf(2),
): Promise<void> {
  const customer = ctx.customer();
  if (before === undefined) return judgeNoCredit(ctx, 'not-credited', { customer, before });
  const { uuid } = await verifiedDeposit(ctx, 'next-credited', { customer, amount: right });
  await robotPays(ctx, uuid);
  const wrong = unitsOf(ctx, ctx.amount);
  const wanted = before + unitsOf(ctx, right);
  const known = [before, wanted, before + wrong, wanted + wrong];
  const read = async () =>
    withoutLate(ctx, customer, await balanceNow(ctx, 'not-credited', customer), known) ?? before;
  await ctx.until(ctx.world.waitMs, async () => ((await read()) >= wanted ? true : undefined));
  const last = await read();
  const isTaken = last > wanted || last === before + wrong;
  const got = growthText(ctx, last - before);
  ctx.check('not-credited', !isTaken, { expected: `+${right} ${ctx.symbol}`, got });
  if (isTaken) return;
  await judgeCredit(ctx, 'next-credited', { customer, before, amount: right, waitMs: 0 });
}
