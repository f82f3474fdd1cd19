import { toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { type Condition, onlyIf, planModule } from '../module.ts';
import { refusalText } from '../steps/answers.ts';
import { DAY_MS, judgeTime, timeConditions } from '../steps/times.ts';
import { orderWithdrawal, userCall } from '../steps/withdrawals.ts';

/** W3.x and W3.y: is `isExceedingThreshold` true exactly from the threshold on? */

/** More than 1,000 USD and 1,000,000 KRW for many years. Nothing is paid. */
const LARGE = { ETH: '0.9', XRP: '1900' } as const;

const CASES = [
  { letter: 'x', title: 'a small amount', isLarge: false },
  { letter: 'y', title: 'a large amount', isLarge: true },
] as const;

/** A market moves less than this between two withdrawals of one run. */
const MAX_CHANGE = 2;
const PRICE: Condition = { clause: 'REF-2.2', text: '`tradePrice` is the price of the whole amount.' };

export const thresholds = CASES.map(({ letter, title, isLarge }) =>
  planModule({
    id: `W3.${letter}`,
    paysNothing: true,
    plan: 'withdrawal',
    title: `The VASP says whether the amount exceeds the threshold: ${title}`,
    clauses: ['REF-2.2'],
    needs: ['driver'],
    conditions: {
      threshold: {
        clause: 'REF-2.2',
        text: '`isExceedingThreshold` is true exactly when `tradePrice` is not less than the threshold.',
      },
      ...timeConditions(
        'REF-2.2',
        '`tradeISODatetime` has milliseconds.',
        '`tradeISODatetime` is the time of the price: of the last day, and not in the future.',
      ),
      ...onlyIf(isLarge, { price: PRICE }),
    },
    async run(ctx) {
      const { symbol } = ctx;
      const large = toBaseUnits(symbol, LARGE[symbol]) + toBaseUnits(symbol, ctx.amount);
      const amount = isLarge ? toCoins(symbol, large) : ctx.amount;
      const ordered = await orderWithdrawal(ctx, 'verify-user', { payee: 'taylor-robbins', amount });
      const { operation, differences } = userCall(ctx, ordered);
      const call = await ctx.until(ordered.acting.waitMs, () =>
        ctx.evidence.received(operation).find(each => differences(each)?.length === 0),
      );
      // A customer may have less than the large amount.
      if (!call)
        return ctx.skip(`No user verification of ${amount} ${ctx.symbol} came. ${ordered.acting.failure ?? ''}`);
      if (call.status === 200) return judge(ctx, call);
      const expected = 'a user verification that the enclave accepts';
      ctx.check('threshold', false, { expected, got: refusalText(call), from: [call] });
    },
  }),
);

async function judge(
  ctx: ModuleContext<'threshold' | 'milliseconds' | 'moment' | 'price'>,
  call: LoggedExchange,
): Promise<void> {
  const asset = json(call.request)?.assetInfo as Record<string, unknown>;
  const { tradePrice, tradeCurrency, isExceedingThreshold, tradeISODatetime } = asset;
  const { verifications } = await ctx.api.verifications({ limit: 50 });
  const found = verifications.find(each => each.verificationUuid === call.verificationUuid);
  const remark = found?.remarks.find(({ code }) => code === 'THRESHOLD-WRONG');
  await judgePrice(ctx, call);
  await judgeTime(ctx, { value: tradeISODatetime, from: [call], maxAgeMs: DAY_MS });
  const currency = String(tradeCurrency).toUpperCase();
  if (!Object.hasOwn(ctx.world.thresholds, currency))
    return ctx.omit('threshold', `No threshold for ${currency} is known. TRAVEL_RULE_THRESHOLDS sets one.`);
  ctx.check('threshold', remark === undefined, {
    expected: remark?.expected ?? 'what the price says',
    got: `${isExceedingThreshold} for ${tradePrice} ${tradeCurrency}`,
    from: [call],
  });
}

/** The price of a coin, beside that of an earlier withdrawal in the same currency. */
async function judgePrice(ctx: ModuleContext<'price'>, call: LoggedExchange): Promise<void> {
  const { exchanges } = await ctx.api.exchanges({ operation: call.operation, direction: 'IN', limit: 50 });
  const [own, ...others] = [call, ...exchanges]
    .map(({ request }) => json(request)?.assetInfo as Asset | undefined)
    .filter(asset => asset?.symbol === ctx.symbol);
  const other = others.find(
    asset => asset!.tradeCurrency === own!.tradeCurrency && Number(asset!.amount) !== Number(own!.amount),
  );
  if (!other) return ctx.omit('price', 'No withdrawal of another amount came before.');
  const change = perCoin(own!) / perCoin(other);
  ctx.check('price', change <= MAX_CHANGE && change >= 1 / MAX_CHANGE, {
    expected: `as much for one ${ctx.symbol} as ${priceText(other)}`,
    got: priceText(own!),
    from: [call],
  });
}

type Asset = Record<'symbol' | 'amount' | 'tradePrice' | 'tradeCurrency', unknown>;
const perCoin = ({ tradePrice, amount }: Asset): number => Number(tradePrice) / Number(amount);
const priceText = ({ tradePrice, tradeCurrency, amount, symbol }: Asset): string =>
  `${tradePrice} ${tradeCurrency} for ${amount} ${symbol}`;
