import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceOf } from '../steps/balances.ts';
import { unknownHash } from '../steps/raw-calls.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payableCustomer, robotPays } from '../steps/robot-pays.ts';
import { judgeCredits } from '../steps/several-credits.ts';

/** The first report is wrong, and the second one names the payment. */
export const correctedReports = planModule({
  id: 'D13',
  plan: 'deposit',
  title: 'A wrong report comes before the right one',
  clauses: ['WIRE-3.4', 'WIRE-2.7', 'D-14'],
  needs: ['customer', 'robot funds'],
  conditions: {
    replaced: {
      clause: 'WIRE-3.4',
      text: 'The first report names a transaction that never comes. The payment of the second report is credited, once.',
    },
    'of-another': {
      clause: 'WIRE-2.7',
      text: 'The payment is reported first for another verification, which it does not pay. After the right report it is credited, once.',
    },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const before = await balanceOf(ctx, 'replaced', customer);
    const [replaced, ofAnother] = await Promise.all([
      reportReplaced(ctx, customer, ctx.amount),
      reportOfAnother(ctx, customer, ctx.amountOf(2)),
    ]);
    await judgeCredits(ctx, { customer, before }, [
      { word: 'replaced', amount: ctx.amount, uuid: replaced },
      { word: 'of-another', amount: ctx.amountOf(2), uuid: ofAnother },
    ]);
  },
});

type Context = ModuleContext<'replaced' | 'of-another'>;

async function reportReplaced(ctx: Context, customer: Customer, amount: string): Promise<string> {
  const { uuid } = await verifiedDeposit(ctx, 'replaced', { customer, amount });
  await ctx.api.robotReport(uuid, unknownHash(ctx));
  await callbackSent(ctx, 'TX_REPORT', uuid);
  await robotPays(ctx, uuid);
  return uuid;
}

async function reportOfAnother(ctx: Context, customer: Customer, amount: string): Promise<string> {
  const other = await verifiedDeposit(ctx, 'of-another', { customer, amount: ctx.amountOf(3) });
  const { uuid } = await verifiedDeposit(ctx, 'of-another', { customer, amount });
  const txHash = await robotPays(ctx, uuid, { omitTxReport: true });
  for (const each of [other.uuid, uuid]) {
    await ctx.api.robotReport(each, txHash);
    await callbackSent(ctx, 'TX_REPORT', each);
  }
  return uuid;
}
