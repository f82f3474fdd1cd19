import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, memoOf } from '../steps/conduct.ts';
import { bringLost, keepBack } from '../steps/held.ts';
import { askedStatus } from '../steps/inquiries.ts';
import { judgeNamed, NAMES_PAYMENT } from '../steps/report-verdicts.ts';
import {
  NEWEST,
  noPaymentText,
  type Ordered,
  orderWithdrawal,
  paymentsOf,
  resultOf,
  userCall,
  verificationOf,
} from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

/** Real time in which a VASP that works on several withdrawals has begun the second one. */
const BEGUN_MS = 500;
const HELD_BACK = '3s';

/** Both results come at once, when both withdrawals are under way. */
export const twoAtOnce = planModule({
  id: 'W4.9',
  plan: 'withdrawal',
  title: 'Two withdrawals at once',
  clauses: ['REF-4.6.2', 'WIRE-2.4'],
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
    const { operation, differences } = userCall(ctx, second);
    const begun = await ctx.until(BEGUN_MS, () =>
      ctx.evidence.received(operation).find(each => differences(each)?.length === 0),
    );
    if (begun) kept.push(await keptBack(ctx, second));
    await ctx.removeFault(fault);
    // A VASP that works on one after another needs a block for the first one.
    const isHeld = begun !== undefined && ctx.world.isEmbedded(ctx.symbol);
    if (isHeld) await ctx.holdLedger();
    if (ctx.movesTime) await ctx.api.advance(HELD_BACK);
    await bringAtOnce(ctx, kept);
    const uuids: string[] = [];
    for (const each of [first, second]) uuids.push((await verifiedWithdrawal(ctx, 'paid', each)).uuid);
    // A VASP that waits for a block before it sends the second one, or before it reports, gets it.
    if (isHeld) {
      await ctx.until(BEGUN_MS, () => uuids.every(uuid => reportOf(ctx, uuid)) || undefined);
      await ctx.releaseLedger();
    }
    for (const each of [first, second]) {
      const isPaid = async () => (await paymentsOf(ctx, each, NEWEST)).length > 0 || undefined;
      await ctx.untilPaid(each.acting.waitMs, isPaid);
    }
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
  for (const each of all) {
    const { length } = await paymentsOf(ctx, each);
    isRight &&= length === 1;
    counts.push(length === 0 ? await noPaymentText(ctx, each) : `${length} × ${each.amount} → ${each.account}`);
  }
  ctx.check('paid', isRight, {
    expected: all.map(({ amount, account }) => `1 × ${amount} → ${account}`).join(', '),
    got: counts.join(', '),
  });
}

const reportOf = ({ evidence }: ModuleContext, uuid: string): LoggedExchange | undefined =>
  evidence.received('report-transaction', uuid).find(({ status }) => status === 200);

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
    const named = String(json(query?.response ?? null)?.txHash).toLowerCase();
    const [own, other] = [hashes[index]!, hashes[1 - index]!].map(each => each.map(hash => hash.toLowerCase()));
    const isRight = own!.includes(named) || !other!.includes(named);
    const shown = { expected: hashes[index]!.join(' or '), got: named, from: query ? [query] : [] };
    if (!ctx.check('status', isRight, shown)) return;
  }
}
