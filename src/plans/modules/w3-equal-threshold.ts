import { ASSETS, toCoins } from '../../contract/assets.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { orderWithdrawal, userCall } from '../steps/withdrawals.ts';

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
  plan: 'withdrawal',
  title: 'The VASP says whether the amount exceeds the threshold: an amount of exactly the threshold',
  clauses: ['REF-2.2'],
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
  const { operation, differences } = userCall(ctx, ordered);
  const call = await ctx.until(ordered.acting.waitMs, () =>
    ctx.evidence.received(operation).find(each => differences(each)?.length === 0),
  );
  const price = call && parseUnits(String(assetOf(call).tradePrice), DECIMALS);
  if (!call || typeof price !== 'bigint' || price <= lastDigitOf(call))
    return ctx.skip(`No user verification of ${amount} ${ctx.symbol} came with a price.`);
  const { tradeCurrency, isExceedingThreshold } = assetOf(call);
  return { call, price, currency: String(tradeCurrency).toUpperCase(), isExceeding: isExceedingThreshold };
}

const assetOf = (call: LoggedExchange) => (json(call.request)?.assetInfo ?? {}) as Record<string, unknown>;

/** One of the last decimal that the price is written with. */
function lastDigitOf(call: LoggedExchange): bigint {
  const [, fraction = ''] = String(assetOf(call).tradePrice).split('.');
  return 10n ** BigInt(Math.max(0, DECIMALS - fraction.length));
}
