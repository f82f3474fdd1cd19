import { ASSETS } from '../../contract/assets.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import { planModule } from '../module.ts';
import { balanceOf, judgeCredit, rememberAllowed } from '../steps/balances.ts';
import { PAYER } from '../steps/deposit-requests.ts';
import { refusedText } from '../steps/driver-acts.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { ensureAccount, ensureFunds, robotPays } from '../steps/robot-pays.ts';
import { unitsOf } from '../steps/wrong-payments.ts';

const SECOND_PAYER = 'garrit-studio';

/** The first payment has no report: only an inquiry tells to which of the two it belongs. */
export const twoCandidates = planModule({
  id: 'D6',
  plan: 'deposit',
  title: 'Two verifications of the same amount, one of them paid',
  clauses: ['REF-4.5.3', 'REF-4.5.4'],
  needs: ['customer', 'robot funds'],
  mostlyWaits: true,
  conditions: {
    asked: { clause: 'REF-4.5.4', text: 'The VASP asks for the transaction of the verification that was paid.' },
    credited: { clause: 'REF-4.5', text: 'The payment is credited once, not once for each candidate.' },
    'other-credited': {
      clause: 'REF-4.5.4',
      text: 'A later payment of the other verification is credited, too: the first one was not taken for it.',
    },
  },
  async run(ctx) {
    const customer = ctx.customer();
    const { amount, symbol } = ctx;
    await ensureFunds(ctx, PAYER);
    await ensureFunds(ctx, SECOND_PAYER);
    await ensureAccount(ctx, ctx.accountOf(customer));
    const other = await verifiedDeposit(ctx, 'asked', { customer, amount, payer: PAYER });
    const paid = await verifiedDeposit(ctx, 'asked', { customer, amount, payer: SECOND_PAYER });
    const before = await balanceOf(ctx, 'credited', customer);
    await robotPays(ctx, paid.uuid, { omitTxReport: true });
    const { inquiryWaitMs } = ctx.world;
    const inquiry = await ctx.whileWaiting(
      `The robot has paid ${amount} ${symbol} without a report, and two verifications have this amount: your VASP should ask for their status.`,
      inquiryWaitMs,
      () => [],
      () => ctx.until(inquiryWaitMs, () => ctx.evidence.received('inquire-transaction', paid.uuid)[0]),
    );
    const expected = `an inquiry about ${paid.uuid}`;
    if (!inquiry) {
      const from = ctx.evidence.received('inquire-transaction', other.uuid);
      const refused = refusedText(ctx, 'inquire-transaction');
      const got = [`${from.length} about ${other.uuid}`, ...(refused ? [refused] : [])].join('. ');
      rememberAllowed(ctx, customer, [unitsOf(ctx, amount)]);
      ctx.notReceived('asked', { expected, got, from });
      return;
    }
    ctx.check('asked', true, { expected, got: 'asked', from: [inquiry] });
    await judgeCredit(ctx, 'credited', { customer, before, amount });
    if (ctx.resultOf('credited') === 'FAILED') return;
    await robotPays(ctx, other.uuid);
    const { decimals } = ASSETS[symbol];
    const both = formatUnits(2n * toUnits(amount, decimals), decimals);
    await judgeCredit(ctx, 'other-credited', { customer, before, amount: both, isLast: true });
  },
});
