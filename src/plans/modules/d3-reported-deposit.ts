import { planModule } from '../module.ts';
import { judgeDelivery } from '../steps/answers.ts';
import { balanceOf, judgeCredit } from '../steps/balances.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, ensureAccount, ensureFunds, robotPays } from '../steps/robot-pays.ts';

export const reportedDeposit = planModule({
  id: 'D3',
  plan: 'deposit',
  title: 'The robot pays and reports',
  clauses: ['WIRE-3.4', 'REF-4.6.11'],
  needs: ['customer', 'robot funds'],
  conditions: {
    'in-time': { clause: 'WIRE-3.4', text: 'TX_REPORT is answered within 1 s.' },
    status: { clause: 'WIRE-3.4', text: 'TX_REPORT is answered with 200.' },
    credited: { clause: 'WIRE-3.4', text: 'The customer is credited with the amount, once.' },
  },
  async run(ctx) {
    const customer = ctx.customer();
    await ensureFunds(ctx);
    await ensureAccount(ctx, ctx.accountOf(customer));
    const { uuid } = await verifiedDeposit(ctx, 'credited', { customer });
    const before = await balanceOf(ctx, 'credited', customer);
    await robotPays(ctx, uuid);
    judgeDelivery(ctx, await callbackSent(ctx, 'TX_REPORT', uuid), 'callback');
    await judgeCredit(ctx, 'credited', { customer, before, amount: ctx.amount });
  },
});
