import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, memoOf } from '../steps/conduct.ts';
import {
  NEWEST,
  noPaymentText,
  type Ordered,
  orderWithdrawal,
  paymentsOf,
  userCall,
  verificationOf,
} from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

/** Real time in which a VASP that works on several withdrawals has begun the second one. */
const BEGUN_MS = 500;

/** The result of the first one comes when the second one is under way. */
export const twoAtOnce = planModule({
  id: 'W4.9',
  plan: 'withdrawal',
  title: 'Two withdrawals at once',
  clauses: ['REF-4.6.2', 'WIRE-2.4'],
  needs: ['driver', 'moved time'],
  alone: true,
  since: '2026.12',
  conditions: {
    paid: { clause: 'REF-4.6.2', text: 'Each of them is paid to its account with its amount, once.' },
  },
  async run(ctx) {
    const slow = await orderWithdrawal(ctx, 'withdraw', { payee: 'answers-slowly' });
    await verificationOf(ctx, 'paid', slow);
    const quick = await orderWithdrawal(ctx, 'withdraw', {
      payee: 'taylor-robbins',
      amount: ctx.amountOf(2),
    });
    const { operation, differences } = userCall(ctx, quick);
    await ctx.until(BEGUN_MS, () =>
      ctx.evidence.received(operation).find(each => differences(each)?.length === 0),
    );
    if (ctx.movesTime) await ctx.api.advance('3s');
    for (const each of [slow, quick]) {
      await verifiedWithdrawal(ctx, 'paid', each);
      const isPaid = async () => (await paymentsOf(ctx, each, NEWEST)).length > 0 || undefined;
      await ctx.untilPaid(each.acting.waitMs, isPaid);
    }
    ctx.memo = [slow, quick].map(each => memoOf(each));
    await judge(ctx, [slow, quick]);
  },
  late: (ctx, memo) => judge(ctx, memo as ConductMemo[]),
});

async function judge(
  ctx: ModuleContext<'paid'>,
  all: readonly (ConductMemo & Partial<Ordered>)[],
): Promise<void> {
  const counts: string[] = [];
  let isRight = true;
  for (const each of all) {
    const { length } = await paymentsOf(ctx, each);
    isRight &&= length === 1;
    counts.push(
      length === 0 ? await noPaymentText(ctx, each) : `${length} of ${each.amount} to ${each.account}`,
    );
  }
  ctx.check('paid', isRight, {
    expected: all.map(({ amount, account }) => `1 of ${amount} to ${account}`).join(', '),
    got: counts.join(', '),
  });
}
