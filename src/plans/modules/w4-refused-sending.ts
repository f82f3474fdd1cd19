import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, memoOf } from '../steps/conduct.ts';
import { orderWithdrawal, paymentsOf } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';
import { hitsNoCall } from './w4-trouble.ts';

const REFUSALS = {
  ETH: { target: 'devnet.eth_sendRawTransaction', code: '-32000', message: 'txpool is full' },
  XRP: { target: 'devnet.submit', code: 'tooBusy', message: 'The server is too busy to help you now.' },
} as const;

type Word = 'not-reported' | 'one-end' | 'settled';

/** W4.16: the node has not taken the payment. The VASP sends it again, or gives it up, and not both. */
export const refusedSending = planModule({
  id: 'W4.16',
  title: 'The node of the VASP refuses the payment once',
  needs: ['driver', 'faucet'],
  conditions: {
    'not-reported': { clause: 'REF-4.6.11', text: 'No payment is reported that the ledger does not have.' },
    'one-end': { clause: 'REF-4.6.2', text: 'There is at most one payment, and none with an error report.' },
    settled: { clause: 'REF-4.6.11', severity: 'WARNING', text: 'The payment follows, or an error report.' },
  },
  async run(ctx: ModuleContext<Word>) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger fails on order.');
    const fault = await ctx.fault({ ...REFUSALS[ctx.symbol], mode: 'error', times: 1 });
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'monitoring-fails' });
    const { uuid } = await verifiedWithdrawal(ctx, 'not-reported', ordered);
    const { waitMs } = ordered.acting;
    const memo = memoOf(ordered, { uuid });
    const end = await ctx.untilPaid(waitMs, () => endOf(ctx, memo));
    if (await hitsNoCall(ctx, fault)) await missesPayment(ctx, memo);
    await ctx.removeFault(fault);
    ctx.memo = memo;
    ctx.check('settled', end !== undefined, {
      expected: 'the payment, or an error report',
      got: end ?? `neither within ${waitMs / 1_000} s`,
    });
    await judge(ctx, memo);
  },
  late: judge,
});

async function missesPayment(ctx: ModuleContext, memo: ConductMemo): Promise<never> {
  if ((await paymentsOf(ctx, memo)).length === 0)
    return ctx.skip('The VASP has sent no payment that a node could refuse: see W4.1.');
  return ctx.doesNotApply('The VASP does not send its payments to the node of the sandbox.');
}

async function endOf(ctx: ModuleContext, memo: ConductMemo): Promise<string | undefined> {
  const [payment] = await paymentsOf(ctx, memo);
  if (payment) return `the payment ${payment.txHash}`;
  return accepted(ctx, 'report-error', memo).length > 0 ? 'an error report' : undefined;
}

const accepted = ({ evidence }: ModuleContext, operation: 'report-error' | 'report-transaction', memo: ConductMemo) =>
  evidence.received(operation, memo.uuid!).filter(({ status }) => status === 200);

async function judge(ctx: ModuleContext<Word>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  const reports = accepted(ctx, 'report-transaction', memo);
  ctx.check('not-reported', payments.length > 0 || reports.length === 0, {
    expected: 'no transaction report without a payment',
    got: `${payments.length} payments, ${reports.length} transaction reports`,
    from: reports,
  });
  const errors = accepted(ctx, 'report-error', memo);
  ctx.check('one-end', payments.length <= (errors.length > 0 ? 0 : 1), {
    expected: 'one payment, or an error report',
    got: `${payments.length} payments, ${errors.length} error reports`,
    from: errors,
  });
}
