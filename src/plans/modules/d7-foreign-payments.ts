import { ASSETS } from '../../contract/assets.ts';
import { accountOf } from '../../contract/customers.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceOf } from '../steps/balances.ts';
import { depositRequest } from '../steps/deposit-requests.ts';
import { exactAmount } from '../steps/exact-amounts.ts';
import { callback } from '../steps/raw-calls.ts';
import { robotVerifies, verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payFromFaucet } from '../steps/robot-pays.ts';
import {
  judgeAfterRightPayment,
  requireFaucet,
  unitsOf,
  type Words,
  WRONG_PAYMENT,
} from '../steps/wrong-payments.ts';
import { STRANGER } from './d1-account-answers.ts';

/** D7.e to D7.k: payments that are reported for a verification and are not those of it. */

interface Payment {
  account: string;
  amount: string;
  fails?: boolean;
}
interface Case {
  letter: string;
  title: string;
  /** Of the verification. Default: that of the module. */
  amount?(ctx: ModuleContext): string;
  payment(ctx: ModuleContext): Payment;
  /** The right payment after it. */
  next?(ctx: ModuleContext): string;
  /** Default: the robot reports it for a VERIFIED verification. */
  report?(ctx: ModuleContext<Words>, pay: () => Promise<string>, amount: string): Promise<void>;
}

const own = (ctx: ModuleContext): string => ctx.accountOf(ctx.customer());
const moreUnits = (ctx: ModuleContext, amount: string, more: bigint): string =>
  formatUnits(unitsOf(ctx, amount) + more, ASSETS[ctx.symbol].decimals);

const CASES: readonly Case[] = [
  {
    letter: 'e',
    title: 'The robot pays another customer and reports it',
    payment: ctx => ({ account: ofAnotherCustomer(ctx), amount: ctx.amount }),
  },
  {
    letter: 'f',
    title: 'The robot pays a stranger and reports it',
    payment: ctx => ({ account: ctx.user('risk-low').accounts[ctx.symbol], amount: ctx.amount }),
  },
  {
    letter: 'g',
    title: 'The robot pays more than verified and reports it',
    payment: ctx => ({
      account: own(ctx),
      amount: moreUnits(ctx, ctx.amount, unitsOf(ctx, ctx.amount) / 3n),
    }),
  },
  {
    letter: 'h',
    title: 'The robot pays one unit less of an amount with all decimals',
    amount: ctx => exactAmount(ctx, 1),
    payment: ctx => ({ account: own(ctx), amount: moreUnits(ctx, exactAmount(ctx, 1), -1n) }),
    next: ctx => exactAmount(ctx, 2),
  },
  {
    letter: 'i',
    title: 'The robot pays for a verification that the VASP has denied',
    payment: ctx => ({ account: own(ctx), amount: ctx.amount }),
    async report(ctx, pay) {
      const request = depositRequest(ctx, { customer: ctx.customer(), persons: [STRANGER] });
      const { uuid } = await robotVerifies(ctx, request);
      await tell(ctx, uuid, await pay());
    },
  },
  {
    letter: 'j',
    title: 'A payment is reported for a verification that the VASP does not know',
    payment: ctx => ({ account: own(ctx), amount: ctx.amount }),
    report: async (ctx, pay) => tell(ctx, ctx.world.uuid(), await pay()),
  },
  {
    letter: 'k',
    title: 'The robot reports a transaction that has failed',
    payment: ctx => ({ account: own(ctx), amount: ctx.amount, fails: true }),
  },
];

function ofAnotherCustomer(ctx: ModuleContext): string {
  const account = own(ctx);
  const other = ctx.world.customers?.customers
    .map(each => accountOf(each, ctx.symbol))
    .find(each => each !== undefined && !ctx.sameAccount(each, account));
  return other ?? ctx.skip(`Add a second customer with an account for ${ctx.symbol} to the customers file.`);
}

/** Past the enclave, which refuses such a report. */
async function tell(ctx: ModuleContext, verificationUuid: string, txHash: string): Promise<void> {
  await callback(ctx, 'TX_REPORT', { verificationUuid, txHash });
}

export const foreignPayments = CASES.map(each =>
  planModule({
    id: `D7.${each.letter}`,
    plan: 'deposit',
    title: each.title,
    clauses: ['WIRE-3.4', 'REF-4.5'],
    needs: ['customer', 'robot funds', 'faucet'],
    since: '2026.12',
    conditions: WRONG_PAYMENT,
    async run(ctx) {
      const { amount: amountOf = () => ctx.amount, report = reportAsVerified } = each;
      const customer = ctx.customer();
      const payment = each.payment(ctx);
      await requireFaucet(ctx);
      const before = await balanceOf(ctx, 'not-credited', customer);
      await report(ctx, () => pay(ctx, payment), amountOf(ctx));
      await judgeAfterRightPayment(ctx, before, each.next?.(ctx));
    },
  }),
);

async function reportAsVerified(
  ctx: ModuleContext<Words>,
  pay: () => Promise<string>,
  amount: string,
): Promise<void> {
  const { uuid } = await verifiedDeposit(ctx, 'not-credited', { customer: ctx.customer(), amount });
  await ctx.api.letRobotReport(uuid, await pay());
  await callbackSent(ctx, 'TX_REPORT', uuid);
}

async function pay(ctx: ModuleContext, { account, amount, fails = false }: Payment): Promise<string> {
  return (await payFromFaucet(ctx, account, amount, { fails })).txHash;
}
