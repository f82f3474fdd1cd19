import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, remember } from '../steps/conduct.ts';
import { NAMES_PAYMENT } from '../steps/report-verdicts.ts';
import { NEWEST, noPaymentText, type Ordered, orderWithdrawal, paymentsOf, userCall } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

const BOTH = 2;

/** Each order of the driver is a withdrawal of its own. */
export const twoEqual = planModule({
  id: 'W4.13',
  plan: 'withdrawal',
  title: 'Two equal withdrawals: the same customer, address and amount',
  clauses: ['REF-4.6.2', 'WIRE-2.4'],
  needs: ['driver'],
  conditions: {
    verified: { clause: 'WIRE-2.4', text: 'Each of them has a user verification of its own.' },
    paid: { clause: 'REF-4.6.2', text: 'Each of them is paid, once.' },
    'names-payment': { ...NAMES_PAYMENT, text: 'Each report names a payment of its own.' },
  },
  async run(ctx) {
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'screening-fails' });
    await verifiedWithdrawal(ctx, 'verified', ordered);
    await orderWithdrawal(ctx, 'withdraw', { payee: 'screening-fails' });
    const { waitMs } = ordered.acting;
    await ctx.until(waitMs, () => verificationsOf(ctx, ordered).length >= BOTH || undefined);
    const calls = verificationsOf(ctx, ordered);
    const isVerified = ctx.check('verified', calls.length === BOTH, {
      expected: `${BOTH} user verifications for ${BOTH} orders`,
      got: String(calls.length),
      from: calls,
    });
    if (!isVerified) return;
    await ctx.untilPaid(waitMs, async () => {
      return (await paymentsOf(ctx, ordered, NEWEST)).length >= BOTH || undefined;
    });
    await judgePaid(ctx, remember(ctx, ordered));
    await judgeReports(ctx, ordered, calls);
  },
  late: judgePaid,
});

function verificationsOf(ctx: ModuleContext, ordered: Ordered): LoggedExchange[] {
  const { operation, differences } = userCall(ctx, ordered);
  const own = ctx.evidence.received(operation).filter(each => differences(each)?.length === 0);
  return own.filter(({ status }) => status === 200);
}

async function judgePaid(ctx: ModuleContext<'paid'>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check('paid', payments.length === BOTH, {
    expected: `${BOTH} payments`,
    got:
      payments.length === 0
        ? await noPaymentText(ctx, memo)
        : `${payments.length}: ${payments.map(({ txHash }) => txHash).join(', ')}`,
  });
}

async function judgeReports(
  ctx: ModuleContext<'names-payment'>,
  ordered: Ordered,
  calls: readonly LoggedExchange[],
): Promise<void> {
  const reports = () =>
    calls.flatMap(({ verificationUuid: uuid }) =>
      ctx.evidence
        .received('report-transaction', uuid!)
        .filter(({ status }) => status === 200)
        .slice(-1),
    );
  await ctx.until(ordered.acting.waitMs, () => reports().length >= BOTH || undefined);
  const from = reports();
  if (from.length < BOTH) return ctx.omit('names-payment', 'The VASP has not reported both payments.');
  const hashes = from.map(({ request }) => String(json(request)?.txHash));
  const isOwn = new Set(hashes.map(hash => hash.toLowerCase())).size === BOTH;
  ctx.check('names-payment', isOwn, { expected: `${BOTH} hashes`, got: hashes.join(', '), from });
}
