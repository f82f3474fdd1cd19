import { formatDuration } from '../../kernel/duration.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceNow, balanceOf, type Credit, judgeCredit, rememberAllowed } from '../steps/balances.ts';
import { PAYER } from '../steps/deposit-requests.ts';
import { refusedText } from '../steps/driver-acts.ts';
import { lookAlike } from '../steps/look-alikes.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payableCustomer, payFromFaucet, robotPays } from '../steps/robot-pays.ts';
import { unitsOf, verified, wrongPayment } from '../steps/wrong-payments.ts';

const unreportedDeposit = planModule({
  id: 'D4',
  plan: 'deposit',
  title: 'The robot pays and does not report',
  clauses: ['REF-4.5', 'REF-4.5.4'],
  needs: ['customer', 'robot funds'],
  mostlyWaits: true,
  conditions: {
    asked: { clause: 'REF-4.5', text: 'The VASP asks for the status of the transaction.' },
    credited: { clause: 'REF-4.5', text: 'The customer is then credited with the amount, once.' },
    'late-report': {
      clause: 'WIRE-3.4',
      text: 'The transaction report, which comes only after the credit, changes nothing.',
    },
    'late-error': {
      clause: 'WIRE-2.8',
      severity: 'WARNING',
      text: 'An error report after the credit of a final payment takes nothing back.',
    },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'asked', { customer });
    const before = await balanceOf(ctx, 'credited', customer);
    const txHash = await robotPays(ctx, uuid, { omitTxReport: true });
    const { inquiryWaitMs } = ctx.world;
    const inquiry = await ctx.whileWaiting(
      `The robot has paid ${ctx.amount} ${ctx.symbol} without a report: your VASP should ask for the status (POST /v1/verifications/tx/inquiry).`,
      inquiryWaitMs,
      () => [],
      () => ctx.until(inquiryWaitMs, () => ctx.evidence.received('inquire-transaction', uuid)[0]),
    );
    const expected = `POST /v1/verifications/tx/inquiry within ${formatDuration(inquiryWaitMs)}`;
    if (!inquiry) {
      const others = ctx.evidence.received('inquire-transaction');
      const refused = refusedText(ctx, 'inquire-transaction');
      const got = [
        others.length === 0 ? 'no inquiry' : `no inquiry about this verification among ${others.length}`,
        ...(refused ? [refused] : []),
      ].join('. ');
      const from = [...others.slice(-1), ...ctx.evidence.refused('inquire-transaction').slice(-1)];
      rememberAllowed(ctx, customer, [unitsOf(ctx, ctx.amount)]);
      ctx.notReceived('asked', { expected, got, from });
      return;
    }
    ctx.check('asked', true, { expected, got: 'asked', from: [inquiry] });
    const credit = { customer, before, amount: ctx.amount, isLast: true } as const;
    await judgeCredit(ctx, 'credited', credit);
    if (ctx.resultOf('credited') !== 'FAILED') await judgeLateReports(ctx, { uuid, txHash }, credit);
  },
});

/** The originating VASP reports only when the deposit has been credited after an inquiry, and then the contrary. */
async function judgeLateReports(
  ctx: ModuleContext<'late-report' | 'late-error'>,
  { uuid, txHash }: { uuid: string; txHash: string },
  credit: Credit,
): Promise<void> {
  await ctx.api.robotReport(uuid, txHash);
  await callbackSent(ctx, 'TX_REPORT', uuid);
  await judgeCredit(ctx, 'late-report', { ...credit, waitMs: 0 });
  if (ctx.resultOf('late-report') === 'FAILED') return;
  await ctx.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
  await callbackSent(ctx, 'ERROR_REPORT', uuid);
  await judgeCredit(ctx, 'late-error', { ...credit, waitMs: 0 });
}

interface Unnamed {
  letter: string;
  payer?: string;
  title: string;
  /** The verification is VERIFIED. */
  verified?(ctx: ModuleContext, verificationUuid: string): Promise<unknown>;
  /** The amounts that a VASP may credit by mistake. Default: that of the module. */
  mistaken?(ctx: ModuleContext): bigint[];
}

const MISNAMED = 'transfer-misnamed';

/** The originating VASP does not name the payment as its own. */
const CASES: readonly Unnamed[] = [
  { letter: 'a', title: 'the status answer is PENDING' },
  { letter: 'b', payer: MISNAMED, title: 'the status answer names another transaction' },
  { letter: 'c', title: 'the status answer is CANCELED', verified: cancelSilently },
  {
    letter: 'd',
    title: 'the status query fails',
    verified: (ctx, verificationUuid) =>
      ctx.fault({ target: 'robot.transactionStatus', mode: 'drop', verificationUuid }),
  },
  {
    letter: 'e',
    payer: MISNAMED,
    title: 'the status answer names a payment of another amount',
    verified: (ctx, uuid) => nameInStatus(ctx, uuid, ctx.accountOf(ctx.customer()), ctx.amountOf(3)),
    mistaken: ctx => [ctx.amount, ctx.amountOf(3)].map(each => unitsOf(ctx, each)),
  },
  {
    letter: 'f',
    payer: MISNAMED,
    title: 'the status answer names a payment to another account',
    verified: (ctx, uuid) => nameInStatus(ctx, uuid, lookAlike(ctx.symbol, ctx.accountOf(ctx.customer())), ctx.amount),
  },
];

const unnamedDeposits = CASES.map(({ letter, payer = PAYER, title, verified: prepare, mistaken }) =>
  wrongPayment({
    ...(mistaken ? { mistaken } : {}),
    id: `D4.${letter}`,
    title: `A payment of the right amount arrives, and ${title}`,
    clauses: ['REF-4.5.4', 'REF-3'],
    mostlyWaits: true,
    async pay(ctx, first) {
      const customer = ctx.customer();
      const { uuid } = await verified(ctx, { payer });
      await prepare?.(ctx, uuid);
      await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
      // A VASP need not ask: without an answer nothing may be credited either.
      const { inquiryWaitMs, waitMs } = ctx.world;
      await ctx.until(Math.min(inquiryWaitMs, waitMs), async () => {
        const isAsked = ctx.evidence.received('inquire-transaction', uuid).length > 0;
        return isAsked || (await balanceNow(ctx, 'not-credited', customer)) !== first || undefined;
      });
      return first;
    },
  }),
);

/** The transaction report of the robot is lost, so only a status answer names this payment. */
async function nameInStatus(
  ctx: ModuleContext,
  verificationUuid: string,
  account: string,
  amount: string,
): Promise<void> {
  const { txHash } = await payFromFaucet(ctx, account, amount);
  await ctx.fault({ target: 'callback.TX_REPORT', mode: 'drop', times: 1, verificationUuid });
  await ctx.api.robotReport(verificationUuid, txHash);
  await ctx.idle();
}

/** The error report of the robot is lost, so only a status answer says that it has given up. */
async function cancelSilently(ctx: ModuleContext, verificationUuid: string): Promise<void> {
  await ctx.fault({ target: 'callback.ERROR_REPORT', mode: 'drop', times: 1, verificationUuid });
  await ctx.api.robotReportError(verificationUuid, 'ERROR', 'USER-CANCELED', 'User canceled');
  await ctx.idle();
}

export const unreportedDeposits = [unreportedDeposit, ...unnamedDeposits];
