import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, memoOf } from '../steps/conduct.ts';
import { untilActed } from '../steps/held.ts';
import { call } from '../steps/raw-calls.ts';
import { type Ordered, orderWithdrawal, paymentsOf } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

type Word = 'told' | 'status' | 'one-end';

/** W4.11: a block holds the payment, and it has failed. The VASP may pay again. */
export const failedPayment = planModule({
  id: 'W4.11',
  plan: 'withdrawal',
  title: 'The payment fails on the ledger',
  clauses: ['REF-4.6.11', 'WIRE-2.7', 'WIRE-2.8'],
  needs: ['driver', 'faucet'],
  since: '2026.12',
  conditions: {
    told: { clause: 'REF-4.6.11', text: 'An error report follows, or a payment that succeeds.' },
    status: { clause: 'REF-3', text: 'The status of the failed payment is not CONFIRMED.' },
    'one-end': { clause: 'REF-4.6.2', text: 'There is at most one payment, and none with an error report.' },
  },
  async run(ctx: ModuleContext<Word>) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger lets a payment fail.');
    await ctx.holdLedger();
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'monitoring-fails' });
    const { uuid } = await verifiedWithdrawal(ctx, 'told', ordered);
    const txHash = await untilActed(ctx, ordered.acting.waitMs, ms =>
      ctx.until(ms, () => ctx.world.failPayment(ctx.symbol, ordered.account)),
    );
    await ctx.releaseLedger();
    if (!txHash) return ctx.skip('The VASP has sent no payment that could fail: see W4.1.');
    await requireFailed(ctx, txHash);
    ctx.memo = memoOf(ordered, { uuid });
    await judgeEnd(ctx, ordered, { uuid, txHash });
    await judgeOneEnd(ctx, ctx.memo as ConductMemo);
  },
  late: (ctx, memo) => judgeOneEnd(ctx, memo as ConductMemo),
});

async function requireFailed(ctx: ModuleContext, txHash: string): Promise<void> {
  const state = await (await ctx.world.chain(ctx.symbol)).stateOf(txHash);
  const hasFailed = (state.status === 'included' || state.status === 'final') && !state.succeeded;
  if (!hasFailed) ctx.missesPremise(`The payment ${txHash} did not fail.`);
}

async function judgeEnd(
  ctx: ModuleContext<Word>,
  ordered: Ordered,
  { uuid, txHash }: { uuid: string; txHash: string },
): Promise<void> {
  const { waitMs } = ordered.acting;
  const end = await ctx.until(waitMs, async () => {
    if (canceled(ctx, uuid).length > 0) return 'an error report';
    const [payment] = await paymentsOf(ctx, ordered);
    return payment && `paid in transaction ${payment.txHash}`;
  });
  const query = await call(ctx, 'transactionStatus', { verificationUuid: uuid }, { verificationUuid: uuid });
  const status = json(query?.response ?? null)?.transactionStatus;
  const from = query ? [query] : [];
  const isPaid = (await paymentsOf(ctx, ordered)).length > 0;
  if (!isPaid)
    ctx.check('status', status !== 'CONFIRMED', { expected: 'not CONFIRMED', got: String(status), from });
  const expected = `an error report, or another payment, because ${txHash} has failed`;
  if (end === undefined && status === 'PENDING')
    return ctx.review('told', 'No error report within the set time. Look whether a person decides.', {
      expected,
    });
  const got = end ?? `neither within ${waitMs / 1000} s, and the status ${status}`;
  ctx.check('told', end !== undefined, { expected, got, from: end ? canceled(ctx, uuid) : from });
}

const canceled = ({ evidence }: ModuleContext, uuid: string) =>
  evidence.received('report-error', uuid).filter(({ status }) => status === 200);

async function judgeOneEnd(ctx: ModuleContext<Word>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  const from = canceled(ctx, memo.uuid!);
  ctx.check('one-end', payments.length <= (from.length > 0 ? 0 : 1), {
    expected: 'one payment, or an error report',
    got: `${payments.length} payments, ${from.length} error reports`,
    from,
  });
}
