import { toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceOf, judgeCredit } from '../steps/balances.ts';
import { inOtherCase } from '../steps/look-alikes.ts';
import { callback } from '../steps/raw-calls.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payFromFaucet, robotPays } from '../steps/robot-pays.ts';
import { judgeCredits } from '../steps/several-credits.ts';
import { requireFaucet } from '../steps/wrong-payments.ts';

/** D17 to D19: right payments that a narrow program overlooks. */

/** Its status answers name what was reported, though the robot has not paid. */
const REPORTER = 'transfer-misnamed';

export const otherForms = planModule({
  id: 'D17',
  plan: 'deposit',
  title: 'A payment from another address, and a report whose hash is written otherwise',
  clauses: ['WIRE-3.4', 'REF-4.5'],
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: {
    'other-sender': {
      clause: 'WIRE-3.4',
      text: 'A reported payment from another address than the one of the originator is credited, once.',
    },
    'other-case': { clause: 'WIRE-3.4', text: 'A payment whose hash is reported in the other case is credited, once.' },
  },
  async run(ctx) {
    const customer = await requireFaucet(ctx);
    const before = await balanceOf(ctx, 'other-sender', customer);
    const [sender = '', form = ''] = await Promise.all([
      payFromElsewhere(ctx, customer, ctx.amount),
      reportInOtherCase(ctx, customer, ctx.amountOf(2)),
    ]);
    await judgeCredits(ctx, { customer, before }, [
      { word: 'other-sender', amount: ctx.amount, uuid: sender },
      { word: 'other-case', amount: ctx.amountOf(2), uuid: form },
    ]);
  },
});

type Forms = ModuleContext<'other-sender' | 'other-case'>;

async function payFromElsewhere(ctx: Forms, customer: Customer, amount: string): Promise<string> {
  const { uuid } = await verifiedDeposit(ctx, 'other-sender', { customer, amount, payer: REPORTER });
  const { txHash } = await payFromFaucet(ctx, ctx.accountOf(customer), amount);
  await ctx.api.robotReport(uuid, txHash);
  await callbackSent(ctx, 'TX_REPORT', uuid);
  return uuid;
}

async function reportInOtherCase(ctx: Forms, customer: Customer, amount: string): Promise<string> {
  const { uuid } = await verifiedDeposit(ctx, 'other-case', { customer, amount });
  const txHash = await robotPays(ctx, uuid, { omitTxReport: true });
  await callback(ctx, 'TX_REPORT', { verificationUuid: uuid, txHash: inOtherCase(txHash) });
  return uuid;
}

/** A page of a history often holds ten. */
const MANY = 11;

export const manyPayments = planModule({
  id: 'D18',
  plan: 'deposit',
  title: `${MANY} equal payments to one customer come at once`,
  clauses: ['WIRE-3.4', 'REF-4.5'],
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: { credited: { clause: 'WIRE-3.4', text: 'Each of them is credited, once.' } },
  async run(ctx) {
    const customer = await requireFaucet(ctx);
    const all = Array.from({ length: MANY }, (_, index) => index);
    const asked = await Promise.all(all.map(() => verifiedDeposit(ctx, 'credited', { customer, payer: REPORTER })));
    const before = await balanceOf(ctx, 'credited', customer);
    const paid = await payAtOnce(ctx, ctx.accountOf(customer));
    for (const [index, { uuid }] of asked.entries()) await ctx.api.robotReport(uuid, paid[index]!);
    const units = toBaseUnits(ctx.symbol, ctx.amount);
    await judgeCredit(ctx, 'credited', {
      customer,
      before,
      amount: toCoins(ctx.symbol, units * BigInt(MANY)),
      between: before === undefined ? [] : all.map(count => before + units * BigInt(count)),
      waitMs: Math.max(ctx.world.waitMs, ctx.world.inquiryWaitMs),
      isLast: true,
    });
  },
});

/** One block of Ethereum holds them. The XRP Ledger takes them as they come. */
async function payAtOnce(ctx: ModuleContext, account: string): Promise<string[]> {
  const isHeld = ctx.symbol === 'ETH';
  if (isHeld) await ctx.holdLedger();
  const pay = () =>
    isHeld ? ctx.api.faucet(ctx.symbol, account, ctx.amount) : payFromFaucet(ctx, account, ctx.amount);
  const paid = await Promise.all(Array.from({ length: MANY }, pay));
  if (isHeld) await ctx.releaseLedger();
  return paid.map(({ txHash }) => txHash);
}

/** A VASP that expects a deposit for a few seconds only has given up. */
const LATE_MS = 11_000;

/** It is paid at the end of the run. */
export const latePayment = planModule({
  id: 'D19',
  plan: 'deposit',
  title: `The robot pays ${LATE_MS / 1000} s after the verification`,
  clauses: ['WIRE-3.4', 'REF-4.5'],
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: { credited: { clause: 'WIRE-3.4', text: 'The payment is credited, once, although it comes later.' } },
  async run(ctx: ModuleContext<'credited'>) {
    const customer = await requireFaucet(ctx);
    ctx.memo = await verifiedDeposit(ctx, 'credited', { customer });
  },
  lateAfterMs: LATE_MS,
  awaitsTimers: true,
  async late(ctx, memo) {
    const customer = ctx.customer();
    const before = await balanceOf(ctx, 'credited', customer);
    await robotPays(ctx, (memo as { uuid: string }).uuid);
    await judgeCredit(ctx, 'credited', { customer, before, amount: ctx.amount });
  },
});
