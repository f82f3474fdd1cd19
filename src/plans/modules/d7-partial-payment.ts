import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceNow, balanceOf, growthText, judgeCredit, judgeNoCredit } from '../steps/balances.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, ensureAccount, ensureFunds, payFromFaucet, robotPays } from '../steps/robot-pays.ts';

/** A thousandth of the Amount. */
const PART = 1_000n;

type Words = 'not-credited' | 'next-credited';

export const paidInPart = planModule({
  id: 'D7.p',
  plan: 'deposit',
  title: 'The robot pays by a partial payment that states more than it delivers, and reports it',
  clauses: ['XRPL-6', 'WIRE-3.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  symbols: ['XRP'] satisfies AssetSymbol[],
  since: '2026.12',
  conditions: {
    'not-credited': {
      clause: 'XRPL-6',
      text: 'No more than `delivered_amount` is credited, however large `Amount` is.',
    },
    'next-credited': { clause: 'REF-4.5', text: 'A right payment after it is credited, once.' },
  },
  async run(ctx) {
    const { symbol, amount, world } = ctx;
    if (!world.isEmbedded(symbol)) ctx.doesNotApply('Only the embedded ledger lets the robot pay in part.');
    const customer = ctx.customer();
    const account = ctx.accountOf(customer);
    await ensureFunds(ctx);
    await ensureAccount(ctx, account);
    const { decimals } = ASSETS[symbol];
    const part = toUnits(amount, decimals) / PART;
    const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    const { txHash } = await payFromFaucet(ctx, account, amount, { delivered: formatUnits(part, decimals) });
    await ctx.api.letRobotReport(uuid, txHash);
    await callbackSent(ctx, 'TX_REPORT', uuid);
    if (before === undefined) return judgeNoCredit(ctx, 'not-credited', { customer, before });
    await judgeAfterRightPayment(ctx, before, part);
  },
});

/** A VASP may credit what was delivered, or nothing until its people have looked. */
async function judgeAfterRightPayment(
  ctx: ModuleContext<Words>,
  before: bigint,
  part: bigint,
): Promise<void> {
  const customer = ctx.customer();
  const { decimals } = ASSETS[ctx.symbol];
  const right = ctx.amountOf(2);
  const { uuid } = await verifiedDeposit(ctx, 'next-credited', { customer, amount: right });
  await robotPays(ctx, uuid);
  const [stated, wanted] = [toUnits(ctx.amount, decimals), before + toUnits(right, decimals)];
  const read = async () => (await balanceNow(ctx, 'not-credited', customer)) ?? before;
  await ctx.until(ctx.world.waitMs, async () => ((await read()) >= wanted ? true : undefined));
  const last = await read();
  const isBelieved = last > wanted + part || last === before + stated;
  const text = (units: bigint) => growthText(ctx, units);
  ctx.check('not-credited', !isBelieved, {
    expected: `${text(wanted - before)}, or ${text(wanted + part - before)} with the delivered part`,
    got: text(last - before),
  });
  if (isBelieved) return;
  const ofPart = last === wanted + part || last === before + part ? part : 0n;
  await judgeCredit(ctx, 'next-credited', { customer, before: before + ofPart, amount: right, waitMs: 0 });
}
