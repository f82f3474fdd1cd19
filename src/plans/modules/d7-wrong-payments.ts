import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceNow, balanceOf, growthText } from '../steps/balances.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, ensureAccount, ensureFunds, payFromFaucet, robotPays } from '../steps/robot-pays.ts';
import { judgeAfterRightPayment, requireFaucet, unitsOf, type Words } from '../steps/wrong-payments.ts';

/**
 * D7: payments that are not as verified, most of them from the faucet. After each a right payment follows: once it is
 * credited, the VASP has seen the wrong one, too.
 */

const CREDITED_ONCE = { clause: 'REF-4.5', text: 'A right payment after it is credited, once.' } as const;

export const paidTooLittle = planModule({
  id: 'D7.a',
  plan: 'deposit',
  title: 'The robot pays too little and reports it',
  clauses: ['WIRE-3.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: {
    'not-credited': { clause: 'WIRE-3.4', text: 'The payment is not credited as if it were right.' },
    'next-credited': CREDITED_ONCE,
  },
  async run(ctx) {
    const customer = ctx.customer();
    const { symbol, amount } = ctx;
    const { decimals } = ASSETS[symbol];
    const less = formatUnits((toUnits(amount, decimals) * 2n) / 3n, decimals);
    await requireFaucet(ctx);
    const account = ctx.accountOf(customer);
    const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    const { txHash } = await payFromFaucet(ctx, account, less);
    await ctx.api.letRobotReport(uuid, txHash);
    await callbackSent(ctx, 'TX_REPORT', uuid);
    await judgeAfterRightPayment(ctx, before);
  },
});

export const paidTwice = planModule({
  id: 'D7.b',
  plan: 'deposit',
  title: 'The robot pays twice',
  clauses: ['WIRE-3.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: {
    'not-credited': {
      clause: 'WIRE-3.4',
      text: 'The second payment is not credited as if it were verified.',
    },
    'next-credited': CREDITED_ONCE,
  },
  async run(ctx) {
    const customer = ctx.customer();
    await requireFaucet(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer });
    const first = await balanceOf(ctx, 'not-credited', customer);
    await robotPays(ctx, uuid);
    const before = await balanceAfterCredit(ctx, first);
    await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
    await judgeAfterRightPayment(ctx, before);
  },
});

export const paidWithOtherTag = planModule({
  id: 'D7.c',
  plan: 'deposit',
  title: 'The robot pays with another destination tag and reports it',
  clauses: ['WIRE-6.1', 'WIRE-3.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  symbols: ['XRP'] satisfies AssetSymbol[],
  conditions: {
    'not-credited': { clause: 'WIRE-6.1', text: 'The customer of the verified tag is not credited.' },
    'next-credited': CREDITED_ONCE,
  },
  async run(ctx) {
    const customer = ctx.customer();
    await requireFaucet(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    const [account = '', tag = ''] = ctx.accountOf(customer).split(':');
    const otherTag = (Number(tag) + 1_000_000_007) % 4_294_967_296;
    const { txHash } = await payFromFaucet(ctx, `${account}:${otherTag}`, ctx.amount);
    await ctx.api.letRobotReport(uuid, txHash);
    await callbackSent(ctx, 'TX_REPORT', uuid);
    await judgeAfterRightPayment(ctx, before);
  },
});

export const paidAndReportedTwice = planModule({
  id: 'D7.d',
  plan: 'deposit',
  title: 'The robot reports one payment for two verifications',
  clauses: ['WIRE-3.4'],
  needs: ['customer', 'robot funds'],
  conditions: {
    'not-credited': {
      clause: 'WIRE-3.4',
      text: 'The payment is not credited again for the second verification.',
    },
    'next-credited': CREDITED_ONCE,
  },
  async run(ctx) {
    const customer = ctx.customer();
    await ensureFunds(ctx);
    await ensureAccount(ctx, ctx.accountOf(customer));
    const paid = await verifiedDeposit(ctx, 'not-credited', { customer });
    const other = await verifiedDeposit(ctx, 'not-credited', { customer });
    const first = await balanceOf(ctx, 'not-credited', customer);
    const txHash = await robotPays(ctx, paid.uuid);
    const before = await balanceAfterCredit(ctx, first);
    await ctx.api.letRobotReport(other.uuid, txHash);
    await callbackSent(ctx, 'TX_REPORT', other.uuid);
    await judgeAfterRightPayment(ctx, before);
  },
});

/** The balance with the first payment of the module. A VASP that does not credit it is not judged about the second one. */
async function balanceAfterCredit(
  ctx: ModuleContext<Words>,
  first: bigint | undefined,
): Promise<bigint | undefined> {
  if (first === undefined) return undefined;
  const wanted = first + unitsOf(ctx, ctx.amount);
  let last = first;
  await ctx.until(ctx.world.waitMs, async () => {
    last = (await balanceNow(ctx, 'not-credited', ctx.customer())) ?? last;
    return last === wanted || undefined;
  });
  if (last === wanted) return wanted;
  ctx.check('next-credited', false, {
    expected: `+${ctx.amount} ${ctx.symbol} for the first payment, which is right`,
    got: growthText(ctx, last - first),
  });
  return ctx.stop();
}
