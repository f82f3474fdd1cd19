import type { AssetSymbol } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, judgeOneTransfer, memoOf, ONE_TRANSFER, remember } from '../steps/conduct.ts';
import { callsOf } from '../steps/driver-acts.ts';
import { askedStatus } from '../steps/inquiries.ts';
import { judgeNamed, NAMES_PAYMENT } from '../steps/report-verdicts.ts';
import { bringLost, exactAmount, keepBack } from '../steps/robot-pays.ts';
import {
  NEWEST,
  noPaymentText,
  type Ordered,
  orderWithdrawal,
  paymentsOf,
  resultOf,
  untilPayment,
  userCall,
  verificationOf,
  verifiedWithdrawal,
  type Withdrawal,
  withdraw,
} from '../steps/withdrawals.ts';

/** Real time in which a VASP that works on several withdrawals has begun the second one. */
const BEGUN_MS = 500;
const HELD_BACK = '3s';

/** Both results come at once, when both withdrawals are under way. */
export const twoAtOnce = planModule({
  id: 'W4.9',
  title: 'Two withdrawals at once',
  needs: ['driver', 'moved time'],
  alone: true,
  conditions: {
    paid: { clause: 'REF-4.6.2', text: 'Each of them is paid to its account with its amount, once.' },
    'names-payment': { ...NAMES_PAYMENT, text: 'Each report names the payment of its own verification.' },
    status: { clause: 'WIRE-3.3', text: 'No status query is answered with the payment of the other one.' },
  },
  async run(ctx) {
    const fault = await ctx.fault({ target: 'robot.verifyUser', mode: 'delay', delay: HELD_BACK });
    const first = await orderWithdrawal(ctx, 'withdraw', { payee: 'risk-low' });
    const kept = [await keptBack(ctx, first)];
    const second = await orderWithdrawal(ctx, 'withdraw', { payee: 'taylor-robbins', amount: ctx.amountOf(2) });
    const begun = await ctx.until(BEGUN_MS, () => callsOf(ctx, userCall(ctx, second))[0]);
    if (begun) kept.push(await keptBack(ctx, second));
    await ctx.removeFault(fault);
    // A VASP that works on one after another needs a block for the first one.
    const isHeld = begun !== undefined && ctx.world.isEmbedded(ctx.symbol);
    if (isHeld) await ctx.holdLedger();
    await ctx.advance(HELD_BACK);
    await bringAtOnce(ctx, kept);
    const uuids: string[] = [];
    for (const each of [first, second]) uuids.push((await verifiedWithdrawal(ctx, 'paid', each)).uuid);
    // A VASP that waits for a block before it sends the second one, or before it reports, gets it.
    if (isHeld) {
      await ctx.until(BEGUN_MS, () => uuids.every(uuid => reportOf(ctx, uuid)) || undefined);
      await ctx.releaseLedger();
    }
    for (const each of [first, second]) await untilPayment(ctx, each);
    ctx.memo = [first, second].map(each => memoOf(each));
    await judge(ctx, [first, second]);
    const both = [first, second].map((ordered, index) => ({ ordered, uuid: uuids[index]! }));
    await judgeReports(ctx, both);
    if (ctx.resultOf('names-payment') === 'PASSED') await judgeStatuses(ctx, both);
  },
  late: judge,
});

interface Kept {
  uuid: string | undefined;
  release?: () => Promise<void>;
}

async function keptBack(ctx: ModuleContext<'paid'>, ordered: Ordered): Promise<Kept> {
  const { uuid } = await verificationOf(ctx, 'paid', ordered);
  return uuid === undefined ? { uuid } : { uuid, release: await keepBack(ctx, uuid, RESULT) };
}

/** In the same moment, so that two payments that are made from one look at the wallet take the same number. */
async function bringAtOnce(ctx: ModuleContext, kept: readonly Kept[]): Promise<void> {
  for (const { uuid } of kept) if (uuid !== undefined) await resultOf(ctx, uuid);
  for (const { release } of kept) await release?.();
  await Promise.all(kept.map(({ uuid }) => uuid !== undefined && bringLost(ctx, uuid, RESULT)));
}

const RESULT = 'VERIFICATION_RESULT';

async function judge(ctx: ModuleContext<'paid'>, all: readonly (ConductMemo & Partial<Ordered>)[]): Promise<void> {
  const counts: string[] = [];
  let isRight = true;
  let isPaidTwice = false;
  for (const each of all) {
    const { length } = await paymentsOf(ctx, each);
    isRight &&= length === 1;
    isPaidTwice ||= length > 1;
    counts.push(length === 0 ? await noPaymentText(ctx, each) : `${length} × ${each.amount} → ${each.account}`);
  }
  ctx.check('paid', isRight, {
    expected: all.map(({ amount, account }) => `1 × ${amount} → ${account}`).join(', '),
    got: counts.join(', '),
    ...(!isPaidTwice && { ifServed: true }),
  });
}

const reportOf = ({ evidence }: ModuleContext, uuid: string): LoggedExchange | undefined =>
  evidence.accepted('report-transaction', uuid)[0];

interface Paid {
  ordered: Ordered;
  uuid: string;
}

/** W4.1 judges whether it reports at all. */
async function judgeReports(ctx: ModuleContext<'names-payment'>, all: readonly Paid[]): Promise<void> {
  for (const { ordered, uuid } of all) {
    const report = await ctx.until(ordered.acting.waitMs, () => reportOf(ctx, uuid));
    if (!report) return ctx.omit('names-payment', 'The VASP has not reported both payments.');
    await judgeNamed(ctx, ordered, report);
    if (ctx.resultOf('names-payment') !== 'PASSED') return;
  }
}

/** One transaction may pay both. */
async function judgeStatuses(ctx: ModuleContext<'status'>, all: readonly Paid[]): Promise<void> {
  const hashes = await Promise.all(
    all.map(async ({ ordered }) => (await paymentsOf(ctx, ordered, NEWEST)).map(({ txHash }) => txHash)),
  );
  for (const [index, { uuid }] of all.entries()) {
    const query = await askedStatus(ctx, uuid);
    const named = String(json(query?.response)?.txHash || 'no hash').toLowerCase();
    const [own, other] = [hashes[index]!, hashes[1 - index]!].map(each => each.map(hash => hash.toLowerCase()));
    const isRight = own!.includes(named) || !other!.includes(named);
    const shown = { expected: hashes[index]!.join(' or '), got: named, from: [query] };
    if (!ctx.check('status', isRight, shown)) return;
  }
}

const BOTH = 2;

/** Each order of the driver is a withdrawal of its own. */
export const twoEqual = planModule({
  id: 'W4.13',
  title: 'Two equal withdrawals: the same customer, address and amount',
  needs: ['driver'],
  conditions: {
    verified: { clause: 'WIRE-2.4', text: 'Each of them has a user verification of its own.' },
    paid: { clause: 'REF-4.6.2', text: 'Each of them is paid, once.' },
    'names-payment': { ...NAMES_PAYMENT, text: 'Each report names a payment of its own.' },
  },
  async run(ctx) {
    const { ordered } = await withdraw(ctx, 'verified', { payee: 'screening-fails' });
    await orderWithdrawal(ctx, 'withdraw', { payee: 'screening-fails' });
    const { waitMs } = ordered.acting;
    await ctx.until(waitMs, () => verificationsOf(ctx, ordered).length >= BOTH || undefined);
    const calls = verificationsOf(ctx, ordered);
    const isVerified = ctx.check('verified', calls.length === BOTH, {
      expected: `${BOTH} user verifications for ${BOTH} orders`,
      got: String(calls.length),
      from: calls,
      ifServed: true,
    });
    if (!isVerified) return;
    await untilPayment(ctx, ordered, { nth: BOTH });
    await judgePaid(ctx, remember(ctx, ordered));
    await judgeOwnReports(ctx, ordered, calls);
  },
  late: judgePaid,
});

const verificationsOf = (ctx: ModuleContext, ordered: Ordered): LoggedExchange[] =>
  callsOf(ctx, userCall(ctx, ordered)).filter(({ status }) => status === 200);

async function judgePaid(ctx: ModuleContext<'paid'>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check('paid', payments.length === BOTH, {
    expected: `${BOTH} payments`,
    got:
      payments.length === 0
        ? await noPaymentText(ctx, memo)
        : `${payments.length}: ${payments.map(({ txHash }) => txHash).join(', ')}`,
    ...(payments.length < BOTH && { ifServed: true }),
  });
}

async function judgeOwnReports(
  ctx: ModuleContext<'names-payment'>,
  ordered: Ordered,
  calls: readonly LoggedExchange[],
): Promise<void> {
  const reports = () =>
    calls.flatMap(({ verificationUuid: uuid }) => ctx.evidence.accepted('report-transaction', uuid!).slice(-1));
  await ctx.until(ordered.acting.waitMs, () => reports().length >= BOTH || undefined);
  const from = reports();
  if (from.length < BOTH) return ctx.omit('names-payment', 'The VASP has not reported both payments.');
  const hashes = from.map(({ request }) => String(json(request)?.txHash));
  const isOwn = new Set(hashes.map(hash => hash.toLowerCase())).size === BOTH;
  ctx.check('names-payment', isOwn, { expected: `${BOTH} hashes`, got: hashes.join(', '), from });
}

/** W4.7, W4.8 and W4.10: withdrawals whose amount or tag a careless program changes. */

interface Case {
  id: string;
  title: string;
  clause: string;
  paid: string;
  symbols?: readonly AssetSymbol[];
  withdrawal(ctx: ModuleContext): Withdrawal;
}

const CASES: readonly Case[] = [
  {
    id: 'W4.7',
    title: 'An amount with all decimals of the asset',
    clause: 'REF-4.6.2',
    paid: 'The call and the payment have exactly this amount.',
    withdrawal: ctx => ({ payee: 'screening-fails', amount: exactAmount(ctx, 1) }),
  },
  {
    id: 'W4.8',
    title: 'A payee whose destination tag is 0',
    clause: 'REF-4.6.4',
    paid: 'The payment has the destination tag 0, which is not the same as none.',
    symbols: ['XRP'],
    withdrawal: () => ({ payee: 'tag-zero' }),
  },
  {
    id: 'W4.10',
    title: 'A payee who has the greatest destination tag',
    clause: 'REF-4.6.4',
    paid: 'The payment has the destination tag 4294967295.',
    symbols: ['XRP'],
    withdrawal: () => ({ payee: 'tag-greatest' }),
  },
];

export const exactPayments = CASES.map(({ id, title, clause, paid, symbols, withdrawal }) =>
  planModule({
    id,
    title,
    needs: ['driver'],
    ...(symbols ? { symbols } : {}),
    conditions: { paid: { clause, text: paid }, 'one-transfer': ONE_TRANSFER },
    async run(ctx) {
      const { ordered, uuid } = await withdraw(ctx, 'paid', withdrawal(ctx));
      const payment = await untilPayment(ctx, ordered);
      ctx.check('paid', payment !== undefined, {
        expected: `${ordered.amount} ${ctx.symbol} at ${ordered.account}`,
        got: payment?.txHash ?? (await noPaymentText(ctx, ordered)),
        ifServed: true,
      });
      if (!payment) return;
      await judgeOneTransfer(ctx, remember(ctx, ordered, { uuid }));
    },
    late: judgeOneTransfer,
  }),
);
