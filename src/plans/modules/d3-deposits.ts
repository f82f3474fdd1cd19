import { toCoins } from '../../contract/assets.ts';
import { accountOf, type Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { delivered, judgeDelivery } from '../steps/answers.ts';
import {
  balanceNow,
  balanceOf,
  type Credit,
  judgeCredit,
  judgeCredits,
  judgeNoCredit,
  shownBalance,
  untilBooked,
} from '../steps/balances.ts';
import { depositRequest, PAYER } from '../steps/deposit-requests.ts';
import { awaitInquiry, timersBegin } from '../steps/inquiries.ts';
import { lookAlike } from '../steps/near-miss-names.ts';
import {
  callbackSent,
  canFund,
  inLedger,
  payableCustomer,
  payFromFaucet,
  reportPayment,
  robotPays,
  robotVerifies,
  verifiedDeposit,
  withoutCallback,
} from '../steps/robot-pays.ts';
import { orderWithdrawal, paymentsOf, paymentsSince } from '../steps/withdrawals.ts';
import { unitsOf, verified, wrongPayment } from '../steps/wrong-payments.ts';

export const reportedDeposit = planModule({
  id: 'D3',
  title: 'The robot pays and reports',
  needs: ['customer', 'robot funds'],
  conditions: {
    ...delivered('TX_REPORT'),
    'not-early': { clause: 'REF-3', text: 'Nothing is credited while no block holds the payment.' },
    credited: { clause: 'WIRE-3.4', text: 'The customer is credited with the amount, once.' },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'credited', { customer });
    const before = await balanceOf(ctx, 'credited', customer);
    await payLate(ctx, uuid, { customer, before });
    judgeDelivery(ctx, await callbackSent(ctx, 'TX_REPORT', uuid), 'callback', uuid);
    await judgeCredit(ctx, 'credited', { customer, before, amount: ctx.amount, isLast: true });
  },
});

/** A VASP that knows only one customer, or credits by the name, pays the wrong one. */
export const depositOfAnother = planModule({
  id: 'D9',
  title: 'The robot pays another customer and reports',
  needs: ['customer', 'robot funds'],
  conditions: {
    credited: { clause: 'WIRE-3.4', text: 'The customer of the verification is credited with the amount, once.' },
    'zero-at-end': {
      clause: 'PROD-6',
      text: 'A payment whose `amount` has a zero at its end, such as `1.50`, is credited, too, once.',
    },
    'nobody-else': { clause: 'WIRE-3.4', text: 'The first customer is not credited.' },
    withdrawn: {
      clause: 'REF-4.6.2',
      text: 'A withdrawal of an amount that 64 bits of wei or 32 bits of drops do not hold is paid exactly.',
    },
  },
  async run(ctx) {
    const first = ctx.customer();
    const customer = await payableCustomer(ctx, anotherCustomer(ctx));
    const whyNot = await whyNotLarge(ctx, customer);
    const awaited = [];
    for (const [word, amount] of [
      ['credited', whyNot === undefined ? LARGE[ctx.symbol] : ctx.amount] as const,
      ['zero-at-end', zeroAtEnd(ctx)] as const,
    ])
      awaited.push({ word, amount, uuid: (await verifiedDeposit(ctx, word, { customer, amount })).uuid });
    const [before, ofFirst] = [await balanceOf(ctx, 'credited', customer), await balanceOf(ctx, 'nobody-else', first)];
    await Promise.all(awaited.map(({ uuid }) => robotPays(ctx, uuid)));
    await judgeCredits(ctx, { customer, before, waitMs: ctx.world.waitMs }, awaited);
    await judgeNoCredit(ctx, 'nobody-else', { customer: first, before: ofFirst });
    if (whyNot !== undefined) return ctx.omit('withdrawn', whyNot);
    if (ctx.resultOf('credited') === 'PASSED') await withdrawLarge(ctx, customer);
  },
});

/** More than 64 bits hold in wei, and 32 bits in drops. A whole amount ends with zeros that count. */
const LARGE = { ETH: '19.5', XRP: '4400' } as const;
const WITHDRAWN = { ETH: '18.5', XRP: '4300' } as const;
/** With the other payment and the fees. */
const FOR_LARGE = { ETH: '20', XRP: '4430' } as const;

/** A VASP may have a limit for its deposits. */
async function whyNotLarge(ctx: ModuleContext, customer: Customer): Promise<string | undefined> {
  const { symbol } = ctx;
  if (!ctx.world.isEmbedded(symbol) || !(await canFund(ctx, FOR_LARGE[symbol])))
    return 'The faucet gives no money for it.';
  const amount = LARGE[symbol];
  const { uuid } = await robotVerifies(ctx, depositRequest(ctx, { customer, amount }));
  const { reason } = await ctx.api.verification(uuid);
  return reason === 'NOT-ALLOWED' ? `The VASP takes no deposit of ${amount} ${symbol}: ${reason}.` : undefined;
}

/** The customer has the money now. Whether the wallet of the VASP has it too, or the VASP has a limit, nobody else knows. */
async function withdrawLarge(ctx: ModuleContext<'withdrawn'>, customer: Customer): Promise<void> {
  const { symbol } = ctx;
  const before = await shownBalance(ctx, customer);
  const amount = WITHDRAWN[symbol];
  const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'screening-refuses', customer, amount });
  const paid = () => paymentsSince(ctx, ordered);
  await ctx.untilPaid(ordered.acting.waitMs, async () => (await paid()).length > 0 || undefined);
  const payments = await paid();
  const expected = `${amount} ${symbol} at ${ordered.account}`;
  if (payments.length === 0)
    return ctx.review('withdrawn', `No payment came, though the customer has the money. Look why.`, { expected });
  ctx.check('withdrawn', payments.length === 1 && (await paymentsOf(ctx, ordered)).length === 1, {
    expected,
    got: payments.map(each => `${each.amount} ${symbol} in transaction ${each.txHash}`).join(', '),
  });
  if (before !== undefined) await untilBooked(ctx, customer, before);
}

/** XRP has no room for a seventh decimal. */
const zeroAtEnd = (ctx: ModuleContext): string =>
  `${ctx.symbol === 'ETH' ? ctx.amountOf(2) : ctx.amountOf(2).slice(0, '4.00000'.length)}0`;

/** A VASP that reads a balance, and writes it after another credit, loses one of them. One that shares a variable mixes up two customers. */
export const twoDepositsAtOnce = planModule({
  id: 'D10',
  title: 'The robot pays a customer twice, and another one, and reports all payments at once',
  needs: ['customer', 'robot funds'],
  conditions: {
    credited: { clause: 'WIRE-3.4', text: 'Both payments are credited, each of them once.' },
    'each-customer': { clause: 'WIRE-3.4', text: 'The other customer is credited with his payment, once.' },
  },
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const other = findAnother(ctx);
    const payments = [customer, customer, ...(other ? [other] : [])].map((payee, index) => ({
      customer: payee,
      amount: ctx.amountOf(index + 1),
    }));
    const uuids: string[] = [];
    for (const payment of payments) uuids.push((await verifiedDeposit(ctx, 'credited', payment)).uuid);
    const before = await balanceOf(ctx, 'credited', customer);
    const ofOther = other && (await balanceOf(ctx, 'each-customer', other));
    const hashes = await Promise.all(uuids.map(uuid => robotPays(ctx, uuid, { omitTxReport: true })));
    await Promise.all(uuids.map((uuid, index) => reportPayment(ctx, uuid, hashes[index]!)));
    const both = toCoins(ctx.symbol, unitsOf(ctx, ctx.amountOf(1)) + unitsOf(ctx, ctx.amountOf(2)));
    await judgeCredit(ctx, 'credited', { customer, before, amount: both });
    if (!other) return ctx.omit('each-customer', addsAnother(ctx));
    await judgeCredit(ctx, 'each-customer', { customer: other, before: ofOther, amount: ctx.amountOf(3) });
  },
});

export const anotherCustomer = (ctx: ModuleContext): Customer => findAnother(ctx) ?? ctx.skip(addsAnother(ctx));

const addsAnother = ({ symbol }: ModuleContext): string =>
  `Add a second customer with KYC and an account for ${symbol} to the customers file.`;

function findAnother(ctx: ModuleContext): Customer | undefined {
  const first = ctx.accountOf(ctx.customer());
  const others = (ctx.world.customers?.customers ?? []).filter(each => {
    const account = accountOf(each, ctx.symbol);
    return each.kyc && account !== undefined && !ctx.sameAccount(account, first);
  });
  return others.find(({ kind }) => kind === 'legal') ?? others[0];
}

/** Real time in which a VASP that credits what it sees in the pool has done so. */
const HELD_MS = 150;

/** The ledger takes the payment of the robot after a while. */
async function payLate(
  ctx: ModuleContext<'not-early'>,
  uuid: string,
  balance: Pick<Credit, 'customer' | 'before'>,
): Promise<void> {
  if (!ctx.world.isEmbedded(ctx.symbol)) {
    ctx.omit('not-early', 'Only an embedded ledger can be held.');
    return void (await robotPays(ctx, uuid));
  }
  await ctx.holdLedger();
  await ctx.api.robotWithdraw(uuid, false);
  const statusOf = async () => (await ctx.api.transfers({ verificationUuid: uuid })).transfers[0]?.transactionStatus;
  await ctx.untilSandbox(async () => ((await statusOf()) === 'PENDING' ? undefined : true));
  await ctx.until(HELD_MS, () => undefined);
  await judgeNoCredit(ctx, 'not-early', balance);
  // Others who share the ledger may have moved it on.
  if ((await statusOf()) !== 'PROCESSING') ctx.omit('not-early', 'A block took the payment meanwhile.');
  await ctx.releaseLedger();
  await inLedger(ctx, uuid);
}

const unreportedDeposit = planModule({
  id: 'D4',
  title: 'The robot pays and does not report',
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
    const begunAt = await timersBegin(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'asked', { customer });
    const before = await balanceOf(ctx, 'credited', customer);
    const txHash = await robotPays(ctx, uuid, { omitTxReport: true });
    await awaitInquiry(ctx, { uuid, begunAt }, `The robot has paid ${ctx.amount} ${ctx.symbol} without a report`);
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
  await reportPayment(ctx, uuid, txHash);
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
  { letter: 'c', title: 'the status answer is CANCELED', verified: (ctx, uuid) => cancelSilently(ctx, uuid) },
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
async function nameInStatus(ctx: ModuleContext, uuid: string, account: string, amount: string): Promise<void> {
  const { txHash } = await payFromFaucet(ctx, account, amount);
  await withoutCallback(ctx, uuid, 'TX_REPORT', () => ctx.api.robotReport(uuid, txHash));
}

/** The error report of the robot is lost, so only a status answer says that it has given up. */
const cancelSilently = (ctx: ModuleContext, uuid: string): Promise<void> =>
  withoutCallback(ctx, uuid, 'ERROR_REPORT', () =>
    ctx.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled'),
  );

export const unreportedDeposits = [unreportedDeposit, ...unnamedDeposits];
