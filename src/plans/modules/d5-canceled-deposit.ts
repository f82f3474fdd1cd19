import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { judgeDelivery } from '../steps/answers.ts';
import { balanceOf, judgeNoCredit } from '../steps/balances.ts';
import { call, callback } from '../steps/raw-calls.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payFromFaucet } from '../steps/robot-pays.ts';
import { verified, wrongPayment } from '../steps/wrong-payments.ts';

/** A VASP that has answered the error report may still be about to read it. */
const MAY_CROSS_MS = 100;

const canceledDeposit = planModule({
  id: 'D5',
  plan: 'deposit',
  title: 'The robot gives up: error report',
  clauses: ['WIRE-3.4', 'WIRE-2.8'],
  needs: ['customer'],
  conditions: {
    'in-time': { clause: 'WIRE-3.4', text: 'ERROR_REPORT is answered within 1 s.' },
    status: { clause: 'WIRE-3.4', text: 'ERROR_REPORT is answered with 200.' },
    'not-credited': { clause: 'WIRE-2.8', text: 'Nothing is credited.' },
    'no-inquiry': { clause: 'WIRE-2.8', text: 'The VASP asks for no transaction of it afterwards.' },
  },
  async run(ctx) {
    const customer = ctx.customer();
    const { uuid } = await verifiedDeposit(ctx, 'status', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    await giveUp(ctx, uuid, ctx.symbol === 'ETH' ? 'ERROR' : 'DENIED');
    const report = await callbackSent(ctx, 'ERROR_REPORT', uuid);
    if (!judgeDelivery(ctx, report, 'callback')) return;
    await judgeNoCredit(ctx, 'not-credited', { customer, before });
    const crossMs = MAY_CROSS_MS + ctx.world.longestStallWithin(1_000);
    ctx.memo = { uuid, after: report ? report.at + report.durationMs + crossMs : 0 };
    await judgeInquiries(ctx, ctx.memo as Memo);
  },
  late: judgeInquiries,
});

/** WIRE-2.8: whatever its result and reason, an error report cancels for good. */
const giveUp = (ctx: ModuleContext, uuid: string, result: 'ERROR' | 'DENIED') =>
  result === 'ERROR'
    ? ctx.api.robotReportError(uuid, result, 'USER-CANCELED', 'User canceled')
    : ctx.api.robotReportError(uuid, result, 'BLACKLISTED', 'Beneficiary person is in blacklist.');

interface Memo {
  uuid: string;
  /** Sandbox time, ms: an inquiry may cross the error report. */
  after: number;
}

async function judgeInquiries(ctx: ModuleContext<'no-inquiry'>, { uuid, after }: Memo): Promise<void> {
  const from = ctx.evidence.received('inquire-transaction', uuid).filter(({ at }) => at > after);
  const got = from.length === 0 ? 'none' : `${from.length} after the error report`;
  ctx.check('no-inquiry', from.length === 0, { expected: 'no inquiry', got, from });
}

const paidAfterErrorReport = wrongPayment({
  id: 'D5.a',
  title: 'The robot pays and reports after its error report',
  clauses: ['WIRE-2.8', 'WIRE-3.4'],
  async pay(ctx, first) {
    const { uuid } = await verified(ctx);
    await giveUp(ctx, uuid, ctx.symbol === 'ETH' ? 'DENIED' : 'ERROR');
    await callbackSent(ctx, 'ERROR_REPORT', uuid);
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(ctx.customer()), ctx.amount);
    await callback(ctx, 'TX_REPORT', { verificationUuid: uuid, txHash });
    return first;
  },
  /** The error report comes again while another deposit is open. */
  async beforeNext(ctx) {
    const report = ctx.evidence.sent('callback').find(({ request }) => request?.includes('"ERROR_REPORT"'));
    if (report) await call(ctx, 'callback', report.request!, { verificationUuid: report.verificationUuid! });
  },
});

export const canceledDeposits = [canceledDeposit, paidAfterErrorReport];
