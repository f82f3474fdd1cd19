import { toCoins } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { call, callback, delivered, judgeDelivery, unknownHash } from '../steps/answers.ts';
import { balanceNow, balanceOf, judgeCredit, judgeCredits, judgeNoCredit } from '../steps/balances.ts';
import { PAYER } from '../steps/deposit-requests.ts';
import { awaitInquiry, MOST_QUERIES, timersBegin } from '../steps/inquiries.ts';
import {
  callbackSent,
  ensureAccount,
  ensureFunds,
  payableCustomer,
  payFromFaucet,
  reportPayment,
  robotPays,
  verifiedDeposit,
} from '../steps/robot-pays.ts';
import { unitsOf, verified, wrongPayment } from '../steps/wrong-payments.ts';
import { isNearMove, passedMs } from '../target.ts';

/** A VASP may read later what it has answered. Until then, and not for longer, it asks as it has asked before. */
const MAY_CROSS_MS = 2_000;
/** The next one of a VASP that goes on asking. */
const ASKS_ON_MS = 6_000;

const canceledDeposit = planModule({
  id: 'D5',
  title: 'The robot gives up: error report',
  needs: ['customer'],
  lateAfterMs: ASKS_ON_MS,
  conditions: {
    ...delivered('ERROR_REPORT'),
    'not-credited': { clause: 'WIRE-2.8', text: 'Nothing is credited.' },
    'no-inquiry': { clause: 'WIRE-2.8', text: 'The VASP asks for no transaction of it afterwards.' },
  },
  async run(ctx) {
    const customer = ctx.customer();
    const { uuid } = await verifiedDeposit(ctx, 'status', { customer });
    const before = await balanceOf(ctx, 'not-credited', customer);
    await giveUp(ctx, uuid, ctx.symbol === 'ETH' ? 'ERROR' : 'DENIED');
    const report = await callbackSent(ctx, 'ERROR_REPORT', uuid);
    if (!judgeDelivery(ctx, report, 'callback', uuid)) return;
    await judgeNoCredit(ctx, 'not-credited', { customer, before });
    const after = report ? report.at + report.durationMs : 0;
    ctx.memo = { uuid, after, crossMs: MAY_CROSS_MS + ctx.world.longestStallWithin(1_000) };
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
  /** Sandbox time at which the error report was answered, ms. */
  after: number;
  crossMs: number;
}

async function judgeInquiries(ctx: ModuleContext<'no-inquiry'>, { uuid, after, crossMs }: Memo): Promise<void> {
  const from = ctx.evidence.received('inquire-transaction', uuid).filter(({ at }) => at > after);
  const { moves } = ctx.world.watch;
  const areUnderWay = from.every(({ at }) => passedMs(moves, after, at) <= crossMs);
  const counted = from.filter(({ at }) => !isNearMove(moves, at));
  const got = from.length === 0 ? 'none' : `${from.length} after the error report`;
  const expected = 'no inquiry, or at most two that were under way';
  ctx.check('no-inquiry', areUnderWay && counted.length <= MOST_QUERIES.count, { expected, got, from });
}

const paidAfterErrorReport = wrongPayment({
  id: 'D5.a',
  title: 'The robot pays and reports after its error report',
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

const SECOND_PAYER = 'garrit-studio';

/** The first payment has no report: only an inquiry tells to which of the two it belongs. */
export const twoCandidates = planModule({
  id: 'D6',
  title: 'Two verifications of the same amount, one of them paid',
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
    const begunAt = await timersBegin(ctx);
    const other = await verifiedDeposit(ctx, 'asked', { customer, amount, payer: PAYER });
    const paid = await verifiedDeposit(ctx, 'asked', { customer, amount, payer: SECOND_PAYER });
    const before = await balanceOf(ctx, 'credited', customer);
    await robotPays(ctx, paid.uuid, { omitTxReport: true });
    await awaitInquiry(
      ctx,
      { uuid: paid.uuid, begunAt },
      `The robot has paid ${amount} ${symbol} without a report, and two verifications have this amount`,
    );
    await judgeCredit(ctx, 'credited', { customer, before, amount });
    if (ctx.resultOf('credited') === 'FAILED') return;
    await robotPays(ctx, other.uuid);
    const both = toCoins(symbol, 2n * unitsOf(ctx, amount));
    await judgeCredit(ctx, 'other-credited', { customer, before, amount: both, isLast: true });
  },
});

/** The first report is wrong, and the second one names the payment. */
export const correctedReports = planModule({
  id: 'D13',
  title: 'A wrong report comes before the right one',
  needs: ['customer', 'robot funds'],
  conditions: {
    replaced: {
      clause: 'WIRE-3.4',
      text: 'The first report names a transaction that never comes. The payment of the second report is credited, once.',
    },
    'of-another': {
      clause: 'WIRE-2.7',
      text: 'The payment is reported first for another verification, which it does not pay. After the right report it is credited, once.',
    },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const before = await balanceOf(ctx, 'replaced', customer);
    const [replaced, ofAnother] = await Promise.all([
      reportReplaced(ctx, customer, ctx.amount),
      reportOfAnother(ctx, customer, ctx.amountOf(2)),
    ]);
    await judgeCredits(ctx, { customer, before }, [
      { word: 'replaced', amount: ctx.amount, uuid: replaced },
      { word: 'of-another', amount: ctx.amountOf(2), uuid: ofAnother },
    ]);
  },
});

type Context = ModuleContext<'replaced' | 'of-another'>;

async function reportReplaced(ctx: Context, customer: Customer, amount: string): Promise<string> {
  const { uuid } = await verifiedDeposit(ctx, 'replaced', { customer, amount });
  await reportPayment(ctx, uuid, unknownHash(ctx));
  await robotPays(ctx, uuid);
  return uuid;
}

async function reportOfAnother(ctx: Context, customer: Customer, amount: string): Promise<string> {
  const other = await verifiedDeposit(ctx, 'of-another', { customer, amount: ctx.amountOf(3) });
  const { uuid } = await verifiedDeposit(ctx, 'of-another', { customer, amount });
  const txHash = await robotPays(ctx, uuid, { omitTxReport: true });
  for (const each of [other.uuid, uuid]) await reportPayment(ctx, each, txHash);
  return uuid;
}

/** Real time in which a VASP that wants one confirmation has credited. Meanwhile no block comes. */
const CREDITED_MS = 1_500;
/** The node knows the states of a few more. */
const MAX_BLOCKS = 100;

/** A VASP that knows payments by their block credits one of them twice. One that wants more confirmations credits it later. */
export const movedPayment = planModule({
  id: 'D16',
  title: 'A reorganisation moves the payment of the robot to another block',
  needs: ['customer', 'robot funds', 'faucet'],
  symbols: ['ETH'],
  conditions: {
    credited: {
      clause: 'WIRE-3.4',
      text: 'The customer is credited with the amount, once, whichever block holds the payment.',
    },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    if (ctx.world.isShared()) ctx.doesNotApply('Another check uses the ledger, and its payments would move, too.');
    const { uuid } = await verifiedDeposit(ctx, 'credited', { customer });
    const before = await balanceOf(ctx, 'credited', customer);
    const txHash = await robotPays(ctx, uuid);
    await callbackSent(ctx, 'TX_REPORT', uuid);
    await ctx.holdLedger();
    const isCredited = async () => (await balanceNow(ctx, 'credited', customer)) !== before || undefined;
    await ctx.until(CREDITED_MS, isCredited);
    await movePayment(ctx, txHash);
    await judgeCredit(ctx, 'credited', { customer, before, amount: ctx.amount, isLast: true });
  },
});

async function movePayment(ctx: ModuleContext, txHash: string): Promise<void> {
  const chain = await ctx.world.chain(ctx.symbol);
  const blockOf = async () => {
    const state = await chain.stateOf(txHash);
    return 'height' in state ? state : ctx.trouble(`No block holds ${txHash}.`);
  };
  const { height, blockHash } = await blockOf();
  const depth = (await chain.head()).height - height + 1;
  if (depth > MAX_BLOCKS) ctx.missesPremise(`${depth} blocks came after the payment.`);
  await ctx.api.setControl(ctx.symbol, 'reorg', { depth, moved: true });
  await ctx.releaseLedger();
  if ((await blockOf()).blockHash === blockHash) ctx.missesPremise('The payment stayed in its block.');
}
