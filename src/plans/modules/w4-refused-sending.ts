import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, endOf, judgeOneEnd, memoOf, ONE_END } from '../steps/conduct.ts';
import { paymentsOf, withdraw } from '../steps/withdrawals.ts';
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
    'one-end': ONE_END,
    settled: { clause: 'REF-4.6.11', severity: 'WARNING', text: 'The payment follows, or an error report.' },
  },
  async run(ctx: ModuleContext<Word>) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger fails on order.');
    const fault = await ctx.fault({ ...REFUSALS[ctx.symbol], mode: 'error', times: 1 });
    const { ordered, uuid } = await withdraw(ctx, 'not-reported', { payee: 'monitoring-fails' });
    const { waitMs } = ordered.acting;
    const memo = memoOf(ordered, { uuid });
    const end = await ctx.untilPaid(waitMs, () => endOf(ctx, memo));
    if (await hitsNoCall(ctx, fault)) await missesPayment(ctx, memo);
    await ctx.removeFault(fault);
    ctx.memo = memo;
    ctx.check('settled', end !== undefined, {
      expected: 'the payment, or an error report',
      got: end?.text ?? `neither within ${waitMs / 1_000} s`,
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

async function judge(ctx: ModuleContext<Word>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  const reports = ctx.evidence.accepted('report-transaction', memo.uuid!);
  ctx.check('not-reported', payments.length > 0 || reports.length === 0, {
    expected: 'no transaction report without a payment',
    got: `${payments.length} payments, ${reports.length} transaction reports`,
    from: reports,
  });
  await judgeOneEnd(ctx, memo);
}
