import type { AssetSymbol } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { judgeOneTransfer, ONE_TRANSFER, remember } from '../steps/conduct.ts';
import { exactAmount } from '../steps/exact-amounts.ts';
import { NEWEST, noPaymentText, orderWithdrawal, paymentsOf, type Withdrawal } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

/** W4.7, W4.8 and W4.10: withdrawals whose amount or tag a careless program changes. */

interface Case {
  id: string;
  title: string;
  clause: string;
  paid: string;
  symbols?: readonly AssetSymbol[];
  withdrawal(ctx: ModuleContext): Withdrawal;
}

const CASES: readonly Case[] = [
  {
    id: 'W4.7',
    title: 'An amount with all decimals of the asset',
    clause: 'REF-4.6.2',
    paid: 'The call and the payment have exactly this amount.',
    withdrawal: ctx => ({ payee: 'screening-fails', amount: exactAmount(ctx, 1) }),
  },
  {
    id: 'W4.8',
    title: 'A payee whose destination tag is 0',
    clause: 'REF-4.6.4',
    paid: 'The payment has the destination tag 0, which is not the same as none.',
    symbols: ['XRP'],
    withdrawal: () => ({ payee: 'tag-zero' }),
  },
  {
    id: 'W4.10',
    title: 'A payee who has the greatest destination tag',
    clause: 'REF-4.6.4',
    paid: 'The payment has the destination tag 4294967295.',
    symbols: ['XRP'],
    withdrawal: () => ({ payee: 'tag-greatest' }),
  },
];

export const exactPayments = CASES.map(({ id, title, clause, paid, symbols, withdrawal }) =>
  planModule({
    id,
    plan: 'withdrawal',
    title,
    clauses: [clause],
    needs: ['driver'],
    ...(symbols ? { symbols } : {}),
    conditions: { paid: { clause, text: paid }, 'one-transfer': ONE_TRANSFER },
    async run(ctx) {
      const ordered = await orderWithdrawal(ctx, 'withdraw', withdrawal(ctx));
      const { uuid } = await verifiedWithdrawal(ctx, 'paid', ordered);
      const payment = await ctx.untilPaid(
        ordered.acting.waitMs,
        async () => (await paymentsOf(ctx, ordered, NEWEST))[0],
      );
      ctx.check('paid', payment !== undefined, {
        expected: `${ordered.amount} ${ctx.symbol} at ${ordered.account}`,
        got: payment?.txHash ?? (await noPaymentText(ctx, ordered)),
      });
      if (!payment) return;
      await judgeOneTransfer(ctx, remember(ctx, ordered, { uuid }));
    },
    late: judgeOneTransfer,
  }),
);
