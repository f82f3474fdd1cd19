import { toCoins } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { callback, unknownHash } from '../steps/answers.ts';
import { balanceNow, balanceOf, judgeCredit, judgeCredits, rememberAllowed } from '../steps/balances.ts';
import { inOtherCase } from '../steps/near-miss-names.ts';
import {
  bringLost,
  callbacksSent,
  payableCustomer,
  payFromFaucet,
  reportPayment,
  robotPays,
  verifiedDeposit,
} from '../steps/robot-pays.ts';
import { unitsOf } from '../steps/wrong-payments.ts';
import { anotherCustomer } from './d3-deposits.ts';

/** Errors, and then connections that break. A VASP that looks at its chain seldom meets fewer. */
const ERRORS = { afterPayment: 6, maxMs: 3_000 };
const DROPS = { times: 2, maxMs: 1_500 };

export const nodeTrouble = planModule({
  id: 'D20',
  title: 'The node of the VASP fails for a while',
  needs: ['customer', 'robot funds', 'faucet'],
  mostlyWaits: true,
  conditions: {
    reported: {
      clause: 'WIRE-3.4',
      text: 'A payment that is reported while the node of the VASP fails is credited afterwards, once.',
    },
    unreported: {
      clause: 'REF-4.5',
      text: 'A payment that comes without a report while the node of the VASP fails is credited afterwards, once.',
    },
    invented: {
      clause: 'WIRE-3.4',
      text: 'A transaction that does not exist, and is reported while the node of the VASP fails, is not credited.',
    },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const before = await balanceOf(ctx, 'reported', customer);
    const asked = [1, 2, 3].map(nth => verifiedDeposit(ctx, 'reported', { customer, amount: ctx.amountOf(nth) }));
    const [reported = '', unreported = '', invented = ''] = (await Promise.all(asked)).map(({ uuid }) => uuid);
    const target = `devnet.${ctx.symbol}` as const;
    const errors = await ctx.fault({ target, mode: 'error' });
    // The robot has a node of its own.
    await Promise.all([robotPays(ctx, reported), robotPays(ctx, unreported, { omitTxReport: true })]);
    await callback(ctx, 'TX_REPORT', { verificationUuid: invented, txHash: unknownHash(ctx) });
    const enough = (await met(ctx))! + ERRORS.afterPayment;
    await ctx.until(ERRORS.maxMs, async () => (await met(ctx))! >= enough || undefined);
    await ctx.removeFault(errors);
    const drops = await ctx.fault({ target, mode: 'drop', times: DROPS.times });
    await ctx.until(DROPS.maxMs, async () => (await met(ctx)) === undefined || undefined);
    await ctx.removeFault(drops);
    const isTaken = callbacksSent(ctx, 'TX_REPORT', reported).some(({ status }) => status === 200);
    if (!isTaken) await bringLost(ctx, reported, 'TX_REPORT');
    await judgeCredits(ctx, { customer, before }, [
      { word: 'reported', amount: ctx.amount, uuid: reported },
      { word: 'unreported', amount: ctx.amountOf(2), uuid: unreported },
      { word: 'invented', amount: ctx.amountOf(3), uuid: invented, isWrong: true },
    ]);
  },
});

/** How many failures the VASP has met. Undefined: all that were ordered. */
const met = async ({ api, symbol }: ModuleContext): Promise<number | undefined> =>
  (await api.faults()).faults.find(({ target }) => target === `devnet.${symbol}`)?.used;

/** D17 to D19: right payments that a narrow program overlooks. */

/** Its status answers name what was reported, though the robot has not paid. */
const REPORTER = 'transfer-misnamed';

export const otherForms = planModule({
  id: 'D17',
  title: 'A payment from another address, and a report whose hash is written otherwise',
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: {
    'other-sender': {
      clause: 'WIRE-3.4',
      text: 'A reported payment from another address than the one of the originator is credited, once.',
    },
    'other-case': { clause: 'WIRE-3.4', text: 'A payment whose hash is reported in the other case is credited, once.' },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
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
  await reportPayment(ctx, uuid, txHash);
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
  title: `${MANY} equal payments to one customer come at once`,
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: { credited: { clause: 'WIRE-3.4', text: 'Each of them is credited, once.' } },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const all = Array.from({ length: MANY }, (_, index) => index);
    const asked = await Promise.all(all.map(() => verifiedDeposit(ctx, 'credited', { customer, payer: REPORTER })));
    const before = await balanceOf(ctx, 'credited', customer);
    const paid = await payAtOnce(ctx, ctx.accountOf(customer));
    for (const [index, { uuid }] of asked.entries()) await ctx.api.robotReport(uuid, paid[index]!);
    const units = unitsOf(ctx, ctx.amount);
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
  title: `The robot pays ${LATE_MS / 1000} s after the verification`,
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: { credited: { clause: 'WIRE-3.4', text: 'The payment is credited, once, although it comes later.' } },
  async run(ctx: ModuleContext<'credited'>) {
    const customer = await payableCustomer(ctx);
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

type Word = 'each-payment' | 'each-customer';

/** WIRE-2.7: one transaction for several withdrawals. On Ethereum a contract makes it. */
export const oneTransaction = planModule({
  id: 'D15',
  title: 'One transaction of a contract pays a customer twice, and another one',
  needs: ['customer', 'robot funds', 'faucet'],
  symbols: ['ETH'],
  conditions: {
    'each-payment': {
      clause: 'WIRE-2.7',
      text: 'A customer whom one transaction pays twice is credited with both payments, each of them once.',
    },
    'each-customer': {
      clause: 'WIRE-2.7',
      text: 'The other customer whom the same transaction pays is credited with his payment, once.',
    },
  },
  async run(ctx: ModuleContext<Word>) {
    const other = anotherCustomer(ctx);
    const first = await payableCustomer(ctx);
    const payments = [first, other, first].map((customer, index) => ({
      customer,
      address: ctx.accountOf(customer),
      amount: ctx.amountOf(index + 1),
    }));
    const uuids: string[] = [];
    for (const { customer, amount } of payments)
      uuids.push((await verifiedDeposit(ctx, 'each-payment', { customer, amount })).uuid);
    const before = await balanceOf(ctx, 'each-payment', first);
    const otherBefore = await balanceOf(ctx, 'each-customer', other);
    const [one, ...others] = payments.map(({ address, amount }) => ({ address, amount }));
    const { txHash } = await payFromFaucet(ctx, one!.address, one!.amount, { others });
    for (const uuid of uuids) await reportPayment(ctx, uuid, txHash);
    const plain = ctx.amountOf(4);
    const sum = (...amounts: string[]) => amounts.reduce((units, each) => units + unitsOf(ctx, each), 0n);
    const [a, b, c] = payments.map(({ amount }) => amount) as [string, string, string];
    const sees = await looksIntoContracts(ctx, { first, before, other, otherBefore, plain });
    if (!sees) {
      for (const each of [a, c, plain]) rememberAllowed(ctx, first, [unitsOf(ctx, each)]);
      rememberAllowed(ctx, other, [unitsOf(ctx, b)]);
      for (const word of ['each-payment', 'each-customer'] as const) ctx.omit(word, BLIND);
      return;
    }
    const amount = toCoins(ctx.symbol, sum(a, c, plain));
    const between = [[a], [c], [plain], [a, c], [a, plain], [c, plain]].map(some => (before ?? 0n) + sum(...some));
    await judgeCredit(ctx, 'each-payment', { customer: first, before, amount, between });
    const ofOther = { customer: other, before: otherBefore, amount: b };
    await judgeCredit(ctx, 'each-customer', { ...ofOther, isLast: true });
  },
});

const BLIND =
  'The VASP has credited no payment of the contract. Exchanges often pay by contracts: look whether yours must see that.';

interface Balances {
  first: Customer;
  before: bigint | undefined;
  other: Customer;
  otherBefore: bigint | undefined;
  plain: string;
}

/** A plain payment follows. A VASP that credits it, and nothing else, does not see payments of contracts. Without a driver a person looks. */
async function looksIntoContracts(
  ctx: ModuleContext<Word>,
  { first, before, other, otherBefore, plain }: Balances,
): Promise<boolean> {
  const { uuid } = await verifiedDeposit(ctx, 'each-payment', { customer: first, amount: plain });
  await robotPays(ctx, uuid);
  if (before === undefined || otherBefore === undefined) return true;
  const growth = async () => [
    ((await balanceNow(ctx, 'each-payment', first)) ?? before) - before,
    ((await balanceNow(ctx, 'each-customer', other)) ?? otherBefore) - otherBefore,
  ];
  await ctx.until(ctx.world.waitMs, async () => ((await growth())[0]! >= unitsOf(ctx, plain) ? true : undefined));
  const found = await ctx.until(SLOWER_MS, async () => {
    const [ofFirst, ofOther] = await growth();
    return (ofFirst !== unitsOf(ctx, plain) && ofFirst !== 0n) || ofOther !== 0n || undefined;
  });
  return found === true;
}

/** A look into a contract takes a little longer than one at a plain payment. */
const SLOWER_MS = 1_000;
