import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { type Ordered, orderWithdrawal, paymentsOf } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

const target = 'devnet.eth_estimateGas';
/** From the refusal on. A VASP that sends all the same does so at once. */
const WATCHED_MS = 1_000;

type Word = 'not-sent' | 'settled';

/** W4.14: the payment would fail on the ledger, so the node says at least. */
export const refusedEstimate = planModule({
  id: 'W4.14',
  plan: 'withdrawal',
  title: 'The node of the VASP refuses the estimate of the payment',
  clauses: ['REF-4.6.2', 'REF-4.6.11'],
  needs: ['driver', 'faucet'],
  symbols: ['ETH'],
  conditions: {
    'not-sent': {
      clause: 'REF-4.6.11',
      text: 'While the node says that the payment would be reverted, the VASP does not send it.',
    },
    settled: {
      clause: 'REF-4.6.11',
      severity: 'WARNING',
      text: 'When the node estimates again, the payment follows, or an error report has come.',
    },
  },
  async run(ctx: ModuleContext<Word>) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger fails on order.');
    const fault = await ctx.fault({ target, mode: 'error', code: '3', message: 'execution reverted' });
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'monitoring-fails' });
    const { uuid } = await verifiedWithdrawal(ctx, 'not-sent', ordered);
    await ctx.until(ordered.acting.waitMs, async () => (await wasRefused(ctx)) || (await endOf(ctx, ordered, uuid)));
    const isRefused = await wasRefused(ctx);
    if (isRefused) await ctx.until(WATCHED_MS, () => endOf(ctx, ordered, uuid));
    const [sent] = await paymentsOf(ctx, ordered);
    if (isRefused) ctx.check('not-sent', sent === undefined, { expected: 'no payment', got: sent?.txHash ?? 'none' });
    else ctx.omit('not-sent', 'The VASP has asked the node for no estimate.');
    await ctx.removeFault(fault);
    const end = await ctx.until(ordered.acting.waitMs, () => endOf(ctx, ordered, uuid));
    ctx.check('settled', end !== undefined, {
      expected: 'the payment, or an error report',
      got: end ?? `neither within ${ordered.acting.waitMs / 1_000} s`,
    });
  },
});

const wasRefused = async ({ api }: ModuleContext): Promise<true | undefined> =>
  (await api.faults()).faults.some(each => each.target === target && each.used > 0) || undefined;

async function endOf(ctx: ModuleContext, ordered: Ordered, uuid: string): Promise<string | undefined> {
  const [payment] = await paymentsOf(ctx, ordered);
  if (payment) return `the payment ${payment.txHash}`;
  const { length } = ctx.evidence.received('report-error', uuid).filter(({ status }) => status === 200);
  return length > 0 ? 'an error report' : undefined;
}
