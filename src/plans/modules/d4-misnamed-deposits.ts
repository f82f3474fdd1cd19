import { planModule } from '../module.ts';
import { balanceNow, balanceOf } from '../steps/balances.ts';
import { PAYER } from '../steps/deposit-requests.ts';
import { callback } from '../steps/raw-calls.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payFromFaucet } from '../steps/robot-pays.ts';
import { judgeAfterRightPayment, requireFaucet, WRONG_PAYMENT } from '../steps/wrong-payments.ts';

/** D4.a, D4.b, D5.a and C9: a payment of the right amount that the originating VASP does not name as its own. */

const CASES = [
  { letter: 'a', payer: PAYER, title: 'the status answer is PENDING' },
  { letter: 'b', payer: 'transfer-misnamed', title: 'the status answer names another transaction' },
] as const;

export const misnamedDeposits = CASES.map(({ letter, payer, title }) =>
  planModule({
    id: `D4.${letter}`,
    plan: 'deposit',
    title: `A payment of the right amount arrives, and ${title}`,
    clauses: ['REF-4.5.4', 'REF-3'],
    needs: ['customer', 'robot funds', 'faucet'],
    since: '2026.12',
    conditions: WRONG_PAYMENT,
    async run(ctx) {
      const customer = ctx.customer();
      await requireFaucet(ctx);
      const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer, payer });
      const before = await balanceOf(ctx, 'not-credited', customer);
      await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
      // A VASP need not ask: without an answer nothing may be credited either.
      const { inquiryWaitMs, waitMs } = ctx.world;
      await ctx.until(Math.min(inquiryWaitMs, waitMs), async () => {
        const isAsked = ctx.evidence.received('inquire-transaction', uuid).length > 0;
        return isAsked || (await balanceNow(ctx, 'not-credited', customer)) !== before || undefined;
      });
      await judgeAfterRightPayment(ctx, before);
    },
  }),
);

export const paidAfterErrorReport = planModule({
  id: 'D5.a',
  plan: 'deposit',
  title: 'The robot pays and reports after its error report',
  clauses: ['WIRE-2.8', 'WIRE-3.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  since: '2026.12',
  conditions: WRONG_PAYMENT,
  async run(ctx) {
    const customer = ctx.customer();
    await requireFaucet(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    await ctx.api.letRobotReportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
    await callbackSent(ctx, 'ERROR_REPORT', uuid);
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
    await callback(ctx, 'TX_REPORT', { verificationUuid: uuid, txHash });
    await judgeAfterRightPayment(ctx, before);
  },
});

export const reportOfUnknownType = planModule({
  id: 'C9',
  plan: 'callbacks',
  title: 'A callback of an unknown type that looks like a transaction report has no effect',
  clauses: ['WIRE-3.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  since: '2026.12',
  conditions: WRONG_PAYMENT,
  async run(ctx) {
    const customer = ctx.customer();
    await requireFaucet(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
    await callback(ctx, 'TYPE_OF_TOMORROW', { verificationUuid: uuid, txHash });
    await judgeAfterRightPayment(ctx, before);
  },
});
