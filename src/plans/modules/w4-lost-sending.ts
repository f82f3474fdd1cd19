import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, remember } from '../steps/conduct.ts';
import { call } from '../steps/raw-calls.ts';
import { noPaymentText, orderWithdrawal, paymentsOf } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

const TARGETS = { ETH: 'devnet.eth_sendRawTransaction', XRP: 'devnet.submit' } as const;

type Word = 'one-transfer' | 'reported' | 'not-canceled';

/** W4.15: the VASP does not know whether its node has taken the payment. The hash of what it has signed tells. */
export const lostSending = planModule({
  id: 'W4.15',
  plan: 'withdrawal',
  title: 'The node of the VASP takes the payment, and its answer is lost',
  clauses: ['REF-4.6.2', 'WIRE-2.7'],
  needs: ['driver', 'faucet'],
  conditions: {
    'one-transfer': { clause: 'REF-4.6.2', text: 'The payment is not made again.' },
    reported: { clause: 'WIRE-2.7', text: 'The payment is reported, and no error report comes.' },
    'not-canceled': {
      clause: 'REF-3',
      text: 'While its node fails, the VASP does not say CANCELED of a payment that it has made.',
    },
  },
  async run(ctx: ModuleContext<Word>) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger fails on order.');
    const fault = await ctx.fault({ target: TARGETS[ctx.symbol], mode: 'drop', times: 1 });
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'monitoring-fails' });
    const { uuid } = await verifiedWithdrawal(ctx, 'reported', ordered);
    const { waitMs } = ordered.acting;
    const isPaid = async () => (await paymentsOf(ctx, ordered)).length > 0 || undefined;
    if (!(await ctx.until(waitMs, isPaid))) {
      const got = await noPaymentText(ctx, ordered);
      return ctx.omit('one-transfer', `There is no payment whose answer could be lost: ${got}. See W4.1.`);
    }
    if (await hitsNoCall(ctx, TARGETS[ctx.symbol]))
      ctx.doesNotApply('The VASP does not send its payments to the node of the sandbox.');
    await ctx.removeFault(fault);
    remember(ctx, ordered, { uuid });
    const isTold = () => told(ctx, uuid).length > 0 || undefined;
    await ctx.until(waitMs, isTold);
    await judge(ctx, ctx.memo as ConductMemo);
    if (ctx.resultOf('reported') === 'PASSED') await judgeStatus(ctx, uuid);
  },
  late: judge,
});

/** A fault for one call is gone when it has hit it. */
export const hitsNoCall = async ({ api }: ModuleContext, target: string): Promise<boolean> =>
  (await api.faults()).faults.some(each => each.target === target);

const told = ({ evidence }: ModuleContext, uuid: string) =>
  [...evidence.received('report-transaction', uuid), ...evidence.received('report-error', uuid)].filter(
    ({ status }) => status === 200,
  );

async function judge(ctx: ModuleContext<Word>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check('one-transfer', payments.length === 1, {
    expected: 'one payment',
    got: `${payments.length}: ${payments.map(({ txHash }) => txHash).join(', ')}`,
  });
  const from = told(ctx, memo.uuid!);
  const isReported = from.length > 0 && from.every(({ operation }) => operation === 'report-transaction');
  ctx.check('reported', isReported, {
    expected: 'a transaction report, and no error report',
    got: from.map(({ operation }) => operation).join(', ') || 'neither',
    from,
    ...(from.length === 0 && { ifServed: true }),
  });
}

/** No answer is right, too: the VASP cannot look. */
async function judgeStatus(ctx: ModuleContext<Word>, verificationUuid: string): Promise<void> {
  const fault = await ctx.fault({ target: `devnet.${ctx.symbol}`, mode: 'error' });
  const query = await call(ctx, 'transactionStatus', { verificationUuid }, { verificationUuid });
  await ctx.removeFault(fault);
  const status = query?.status === 200 && json(query.response)?.transactionStatus;
  ctx.check('not-canceled', status !== 'CANCELED', {
    expected: 'another status, or none',
    got: status ? String(status) : 'none',
    from: query ? [query] : [],
  });
}
