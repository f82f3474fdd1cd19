import { ASSETS, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { Reason } from '../../contract/clauses.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { type Condition, onlyIf, planModule } from '../module.ts';
import { callback, refusalText } from '../steps/answers.ts';
import { judgeNoPayment, NO_PAYMENT, remember } from '../steps/conduct.ts';
import { callsOf, untilCalled } from '../steps/driver-acts.ts';
import { callbackSent } from '../steps/robot-pays.ts';
import { DAY_MS, judgeTime, timeConditions } from '../steps/times.ts';
import { orderWithdrawal, shownResult, userCall, verificationOf } from '../steps/withdrawals.ts';

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
    title: `The VASP says whether the amount exceeds the threshold: ${title}`,
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
      const call = await untilCalled(ctx, ordered.acting, () => callsOf(ctx, userCall(ctx, ordered)));
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
  const { verifications } = await ctx.api.verifications({ verificationUuid: call.verificationUuid! });
  const finding = verifications[0]?.findings.find(({ code }) => code === 'THRESHOLD-WRONG');
  await judgePrice(ctx, call);
  judgeTime(ctx, { value: tradeISODatetime, from: [call], maxAgeMs: DAY_MS });
  const currency = String(tradeCurrency).toUpperCase();
  if (!Object.hasOwn(ctx.world.thresholds, currency))
    return ctx.omit('threshold', `No threshold for ${currency} is known. TRAVEL_RULE_THRESHOLDS sets one.`);
  ctx.check('threshold', finding === undefined, {
    expected: finding?.expected ?? 'what the price says',
    got: `${isExceedingThreshold} for ${tradePrice} ${tradeCurrency}`,
    from: [call],
  });
}

/** The price of a coin, beside that of an earlier withdrawal in the same currency. */
async function judgePrice(ctx: ModuleContext<'price'>, call: LoggedExchange): Promise<void> {
  const { exchanges } = await ctx.api.exchanges({ operation: call.operation, direction: 'IN', limit: 50 });
  // What came before the run may be of another day, or of another program.
  const ofRun = exchanges.filter(({ id }) => Number(id) > ctx.world.since);
  const [own, ...others] = [call, ...ofRun]
    .map(({ request }) => json(request)?.assetInfo as Asset | undefined)
    .filter(asset => asset?.symbol === ctx.symbol);
  const other = others.find(
    asset => asset!.tradeCurrency === own!.tradeCurrency && Number(asset!.amount) !== Number(own!.amount),
  );
  if (!other) return ctx.omit('price', 'No withdrawal of another amount came before.');
  const [mine, theirs] = [perCoin(own!), perCoin(other)];
  ctx.check('price', mine.least <= theirs.most * MAX_CHANGE && mine.most * MAX_CHANGE >= theirs.least, {
    expected: `as much for one ${ctx.symbol} as ${priceText(other)}`,
    got: priceText(own!),
    from: [call],
  });
}

type Asset = Record<'symbol' | 'amount' | 'tradePrice' | 'tradeCurrency', unknown>;
/** The last digit of a price may be rounded, or what follows it is cut off. */
function perCoin({ tradePrice, amount }: Asset): { least: number; most: number } {
  const digit = 10 ** -fractionOf(tradePrice).length;
  const of = (price: number) => price / Number(amount);
  return { least: of(Number(tradePrice) - digit / 2), most: of(Number(tradePrice) + digit) };
}
const fractionOf = (price: unknown): string => String(price).split('.')[1] ?? '';
const priceText = ({ tradePrice, tradeCurrency, amount, symbol }: Asset): string =>
  `${tradePrice} ${tradeCurrency} for ${amount} ${symbol}`;

/** Some thresholds. Its price says how much is exactly one. Nothing is paid. */
const PROBE = '0.9';
const DECIMALS = 18;

interface Priced {
  call: LoggedExchange;
  price: bigint;
  currency: string;
  isExceeding: unknown;
}

export const equalThreshold = planModule({
  id: 'W3.ac',
  paysNothing: true,
  title: 'The VASP says whether the amount exceeds the threshold: an amount of exactly the threshold',
  needs: ['driver'],
  symbols: ['ETH'],
  conditions: {
    threshold: { clause: 'REF-2.2', text: '`isExceedingThreshold` is true when `tradePrice` is the threshold.' },
  },
  async run(ctx) {
    const decimals = ASSETS[ctx.symbol].decimals;
    const probe = `${PROBE}${ctx.amount.slice(2)}`.slice(0, decimals);
    const first = await pricedBy(ctx, probe);
    const text = ctx.world.thresholds[first.currency];
    const threshold = text === undefined ? undefined : parseUnits(text, DECIMALS);
    if (typeof threshold !== 'bigint')
      return ctx.skip(`No threshold for ${first.currency} is known. TRAVEL_RULE_THRESHOLDS sets one.`);
    const units = parseUnits(probe, decimals) as bigint;
    // The last digit of the price may be rounded: an amount that is worth no less for certain.
    const least = first.price - lastDigitOf(first.call);
    const amount = toCoins(ctx.symbol, (threshold * units) / least + 1n);
    const second = await pricedBy(ctx, amount);
    if (second.price !== threshold || second.currency !== first.currency)
      return ctx.skip(`The price of ${amount} ${ctx.symbol} is not exactly ${text} ${first.currency}: it changes.`);
    ctx.check('threshold', second.isExceeding === true, {
      expected: `true for ${text} ${first.currency}`,
      got: String(second.isExceeding),
      from: [second.call],
    });
  },
});

/** What the VASP says about an amount. A customer may have less, and a price may be of any form. */
async function pricedBy(ctx: ModuleContext, amount: string): Promise<Priced> {
  const ordered = await orderWithdrawal(ctx, 'verify-user', { payee: 'taylor-robbins', amount });
  const call = await untilCalled(ctx, ordered.acting, () => callsOf(ctx, userCall(ctx, ordered)));
  const price = call && parseUnits(String(assetOf(call).tradePrice), DECIMALS);
  if (!call || typeof price !== 'bigint' || price <= lastDigitOf(call))
    return ctx.skip(`No user verification of ${amount} ${ctx.symbol} came with a price.`);
  const { tradeCurrency, isExceedingThreshold } = assetOf(call);
  return { call, price, currency: String(tradeCurrency).toUpperCase(), isExceeding: isExceedingThreshold };
}

const assetOf = (call: LoggedExchange) => (json(call.request)?.assetInfo ?? {}) as Record<string, unknown>;

/** One of the last decimal that the price is written with. */
const lastDigitOf = (call: LoggedExchange): bigint =>
  10n ** BigInt(Math.max(0, DECIMALS - fractionOf(assetOf(call).tradePrice).length));

/** W3.n to W3.w: withdrawals that the user verification ends, one for each other result and reason. */

interface Denial {
  letter: string;
  /** A user of the robot who passes the account verification. */
  payee: string;
  result: 'DENIED' | 'ERROR';
  reason: Reason;
  title?: string;
  before?(ctx: ModuleContext): Promise<void>;
  /** The verification is open, and its result is not awaited yet. */
  opened?(ctx: ModuleContext): Promise<void>;
  /** The result is there. Default: waits until the VASP has it. */
  ended?(ctx: ModuleContext, uuid: string): Promise<unknown>;
  alone?: true;
}

const denied = (letter: string, reason: Reason): Denial => ({
  letter,
  payee: reason.toLowerCase(),
  result: 'DENIED',
  reason,
});

/** No VASP knows it. */
const REASON_OF_TOMORROW = 'REASON-OF-TOMORROW';

const DENIALS: readonly Denial[] = [
  denied('n', 'BLACKLISTED'),
  denied('o', 'MISMATCHED-NAME'),
  denied('p', 'UNVERIFIED-KYC'),
  denied('q', 'UNKNOWN-SYMBOL'),
  denied('r', 'UNKNOWN-NETWORK'),
  denied('s', 'UNKNOWN-ADDRESS'),
  denied('t', 'NOT-ALLOWED'),
  denied('u', 'UNDEFINED-ERROR'),
  {
    letter: 'v',
    payee: 'never-answers',
    result: 'ERROR',
    reason: 'REQUEST-TIMEOUT',
    alone: true,
    async opened(ctx) {
      await ctx.advance(`${ctx.world.timeoutMs.verifyUser + 1_000}ms`);
    },
  },
  {
    ...denied('w', 'NOT-ALLOWED'),
    title: 'DENIED with a reason that nobody knows, without a message',
    alone: true,
    async before(ctx) {
      await ctx.fault({ target: 'callback.VERIFICATION_RESULT', mode: 'drop', times: 1 });
    },
    async ended(ctx, verificationUuid) {
      const data = { verificationResult: 'DENIED', reason: REASON_OF_TOMORROW, message: '' };
      await callback(ctx, 'VERIFICATION_RESULT', { verificationUuid, ...data });
    },
  },
];

/** The VASP has the result, so it may pay by mistake. */
const heard = (ctx: ModuleContext, uuid: string) => callbackSent(ctx, 'VERIFICATION_RESULT', uuid);

export const deniedWithdrawals = DENIALS.map(each => {
  const { letter, result, reason, title = `${result} / ${reason}` } = each;
  return planModule({
    id: `W3.${letter}`,
    title: `A withdrawal ends with the user verification: ${title}`,
    needs: ['driver'],
    ...(each.alone ? { alone: true } : { paysNothing: true }),
    conditions: {
      result: { clause: 'REF-2.3', text: `The VASP asks, and the result is ${result} / ${reason}.` },
      'no-payment': NO_PAYMENT,
    },
    run: ctx => play(ctx, each),
    late: judgeNoPayment,
  });
});

async function play(ctx: ModuleContext<'result' | 'no-payment'>, each: Denial): Promise<void> {
  await each.before?.(ctx);
  const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: each.payee });
  const { uuid, exchange } = await verificationOf(ctx, 'result', ordered);
  await each.opened?.(ctx);
  const { result, shown } = await shownResult(ctx, ordered, { uuid, exchange });
  if (uuid) await (each.ended ?? heard)(ctx, uuid);
  const expected = `${each.result} / ${each.reason}`;
  ctx.check('result', result === expected, { expected, ...shown });
  await judgeNoPayment(ctx, remember(ctx, ordered, { uuid }));
}
