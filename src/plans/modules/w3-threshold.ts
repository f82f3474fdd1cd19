import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { orderWithdrawal, userCall } from '../steps/withdrawals.ts';

/** W3.x and W3.y: is `isExceedingThreshold` true exactly from the threshold on? */

/** More than 1,000 USD and 1,000,000 KRW for many years. Nothing is paid. */
const LARGE = { ETH: '0.9', XRP: '1900.' } as const;

const CASES = [
  { letter: 'x', title: 'a small amount', isLarge: false },
  { letter: 'y', title: 'a large amount', isLarge: true },
] as const;

export const thresholds = CASES.map(({ letter, title, isLarge }) =>
  planModule({
    id: `W3.${letter}`,
    plan: 'withdrawal',
    title: `The VASP says whether the amount exceeds the threshold: ${title}`,
    clauses: ['REF-2.2'],
    needs: ['driver'],
    since: '2026.12',
    conditions: {
      threshold: {
        clause: 'REF-2.2',
        text: '`isExceedingThreshold` is true exactly when `tradePrice` is not less than the threshold.',
      },
      milliseconds: {
        clause: 'REF-2',
        severity: 'WARNING',
        text: '`tradeISODatetime` has milliseconds.',
      },
    },
    async run(ctx) {
      const amount = isLarge ? `${LARGE[ctx.symbol]}${ctx.amount.slice(-6)}` : ctx.amount;
      const ordered = await orderWithdrawal(ctx, 'verify-user', { payee: 'taylor-robbins', amount });
      const { operation, differences } = userCall(ctx, ordered);
      const call = await ctx.until(ordered.acting.waitMs, () =>
        ctx.evidence.received(operation).find(each => differences(each)?.length === 0),
      );
      // A customer may have less than the large amount.
      if (!call)
        return ctx.skip(
          `No user verification of ${amount} ${ctx.symbol} came. ${ordered.acting.failure ?? ''}`,
        );
      await judge(ctx, call);
    },
  }),
);

async function judge(ctx: ModuleContext<'threshold' | 'milliseconds'>, call: LoggedExchange): Promise<void> {
  const asset = json(call.request)?.assetInfo as Record<string, unknown>;
  const { tradePrice, tradeCurrency, isExceedingThreshold, tradeISODatetime } = asset;
  const { verifications } = await ctx.api.verifications({ limit: 50 });
  const found = verifications.find(each => each.verificationUuid === call.verificationUuid);
  const remark = found?.remarks.find(({ code }) => code === 'THRESHOLD-WRONG');
  ctx.check('threshold', remark === undefined, {
    expected: remark?.expected ?? 'what the price says',
    got: `${isExceedingThreshold} for ${tradePrice} ${tradeCurrency}`,
    from: [call],
  });
  const hasMilliseconds = /[.,]\d{3,}/.test(String(tradeISODatetime));
  ctx.check('milliseconds', hasMilliseconds, {
    expected: 'for example 2026-03-03T12:45:34.085Z',
    got: String(tradeISODatetime),
    from: [call],
  });
}
