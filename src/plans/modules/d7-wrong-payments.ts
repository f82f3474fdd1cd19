import { Refused } from '../../client/client.ts';
import { splitAddress, toCoins } from '../../contract/assets.ts';
import { accountOf } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { callback } from '../steps/answers.ts';
import { awaitBalance, checkGrowth } from '../steps/balances.ts';
import { depositRequest } from '../steps/deposit-requests.ts';
import { inOtherCase, lookAlike } from '../steps/near-miss-names.ts';
import { exactAmount, payFromFaucet, reportPayment, robotPays, robotVerifies } from '../steps/robot-pays.ts';
import { reportFor, unitsOf, verified, type Words, type WrongPayment, wrongPayment } from '../steps/wrong-payments.ts';
import { STRANGER } from './d1-account-answers.ts';

/** D7: payments that are not those of the verification. */

const own = (ctx: ModuleContext): string => ctx.accountOf(ctx.customer());
/** `amount` and this many base units. */
const moreUnits = (ctx: ModuleContext, amount: string, more: bigint): string =>
  toCoins(ctx.symbol, unitsOf(ctx, amount) + more);
const third = (ctx: ModuleContext): bigint => unitsOf(ctx, ctx.amount) / 3n;
/** A thousandth of what a partial payment states. */
const partOf = (ctx: ModuleContext): bigint => unitsOf(ctx, ctx.amount) / 1_000n;

const pay = async (
  ctx: ModuleContext,
  account = own(ctx),
  amount = ctx.amount,
  options: Parameters<typeof payFromFaucet>[3] = {},
): Promise<string> => (await payFromFaucet(ctx, account, amount, options)).txHash;

const PAYMENTS: readonly WrongPayment[] = [
  {
    id: 'D7.a',
    title: 'The robot pays too little and reports it',
    pay: ctx => reportFor(ctx, {}, () => pay(ctx, own(ctx), moreUnits(ctx, ctx.amount, -third(ctx)))),
    mistaken: ctx => [unitsOf(ctx, ctx.amount), unitsOf(ctx, ctx.amount) - third(ctx)],
  },
  {
    id: 'D7.b',
    title: 'The robot pays twice',
    notCredited: { clause: 'WIRE-3.4', text: 'The second payment is not credited as if it were verified.' },
    pay: (ctx, first) => afterCredit(ctx, first, 1, () => pay(ctx)),
  },
  {
    id: 'C10',
    title: 'A second TX_REPORT for a credited verification names another payment',
    pay: (ctx, first) => afterCredit(ctx, first, 1, async (_, [uuid]) => tell(ctx, uuid, await pay(ctx))),
  },
  {
    id: 'D7.c',
    title: 'The robot pays with another destination tag and reports it',
    symbols: ['XRP'],
    notCredited: { clause: 'WIRE-6.1', text: 'The customer of the verified tag is not credited.' },
    pay: ctx => reportFor(ctx, {}, () => pay(ctx, likeOwn(ctx))),
  },
  {
    id: 'D7.t',
    title: 'The robot pays the shared address without a destination tag and reports it',
    symbols: ['XRP'],
    notCredited: { clause: 'WIRE-6.1', text: 'The customer of the verified tag is not credited.' },
    pay: ctx => reportFor(ctx, {}, () => payUntagged(ctx)),
  },
  {
    id: 'D7.d',
    title: 'The robot reports one payment for two verifications',
    byRobot: true,
    notCredited: { clause: 'WIRE-3.4', text: 'The payment is not credited again for the second verification.' },
    pay: (ctx, first) => afterCredit(ctx, first, 2, (txHash, [, other]) => reportPayment(ctx, other, txHash)),
  },
  {
    id: 'D7.r',
    title: 'The robot reports one payment for other verifications, its hash written otherwise or with a `vout`',
    byRobot: true,
    notCredited: { clause: 'WIRE-6.2', text: 'The payment is not credited again, in whatever form its hash comes.' },
    pay: (ctx, first) =>
      afterCredit(ctx, first, 3, async (txHash, [, ofCase, ofVout]) => {
        await tell(ctx, ofCase, inOtherCase(txHash));
        await tell(ctx, ofVout, txHash, { vout: '0' });
      }),
  },
  {
    id: 'D7.e',
    title: 'The robot pays another customer and reports it',
    pay(ctx) {
      const other = ofAnotherCustomer(ctx);
      return reportFor(ctx, {}, () => pay(ctx, other));
    },
  },
  {
    id: 'D7.f',
    title: 'The robot pays a stranger and reports it',
    pay(ctx) {
      const stranger = ctx.symbol === 'ETH' ? likeOwn(ctx) : ctx.user('risk-low').accounts[ctx.symbol];
      return reportFor(ctx, {}, () => pay(ctx, stranger));
    },
  },
  {
    id: 'D7.g',
    title: 'The robot pays more than verified and reports it',
    pay: ctx => reportFor(ctx, {}, () => pay(ctx, own(ctx), moreUnits(ctx, ctx.amount, third(ctx)))),
    mistaken: ctx => [unitsOf(ctx, ctx.amount), unitsOf(ctx, ctx.amount) + third(ctx)],
  },
  {
    id: 'D7.h',
    title: 'The robot pays one unit less of an amount with all decimals',
    pay(ctx) {
      const amount = exactAmount(ctx, 1);
      return reportFor(ctx, { amount }, () => pay(ctx, own(ctx), moreUnits(ctx, amount, -1n)));
    },
    next: ctx => exactAmount(ctx, 2),
    mistaken: ctx => [0n, 1n].map(less => unitsOf(ctx, exactAmount(ctx, 1)) - less),
  },
  {
    id: 'D7.i',
    title: 'The robot pays for a verification that the VASP has denied',
    async pay(ctx) {
      const request = depositRequest(ctx, { customer: ctx.customer(), persons: [STRANGER] });
      const { uuid } = await robotVerifies(ctx, request);
      return tell(ctx, uuid, await pay(ctx));
    },
  },
  {
    id: 'D7.j',
    title: 'A payment is reported for a verification that the VASP does not know',
    pay: async ctx => tell(ctx, ctx.world.uuid(), await pay(ctx)),
  },
  {
    id: 'D7.k',
    title: 'The robot reports a transaction that has failed',
    pay: ctx => reportFor(ctx, {}, () => pay(ctx, own(ctx), ctx.amount, { fails: true })),
  },
  {
    id: 'D7.q',
    title: 'The robot reports the event of a token that has the same figure',
    symbols: ['ETH'],
    pay: ctx => reportFor(ctx, {}, () => pay(ctx, own(ctx), ctx.amount, { token: true })),
  },
  {
    id: 'D7.s',
    title: 'The robot reports a transaction of a contract whose call that pays was reverted',
    symbols: ['ETH'],
    pay(ctx) {
      const others = [{ address: likeOwn(ctx), amount: ctx.amount }];
      return reportFor(ctx, {}, () => pay(ctx, own(ctx), ctx.amount, { fails: true, others }));
    },
  },
  {
    id: 'D7.u',
    title: 'The robot reports a payment that is older than the verification',
    notCredited: {
      clause: 'D-18',
      severity: 'WARNING',
      text: 'A payment that a block held before the verification is not credited for it.',
    },
    async pay(ctx) {
      const txHash = await pay(ctx);
      return reportFor(ctx, {}, async () => txHash);
    },
  },
  {
    id: 'D7.p',
    title: 'The robot pays by a partial payment that states more than it delivers, and reports it',
    symbols: ['XRP'],
    notCredited: { clause: 'XRPL-6', text: 'No more than `delivered_amount` is credited, however large `Amount` is.' },
    pay(ctx) {
      const delivered = toCoins(ctx.symbol, partOf(ctx));
      return reportFor(ctx, {}, () => pay(ctx, own(ctx), ctx.amount, { delivered }));
    },
    delivered: partOf,
  },
];

export const wrongPayments = PAYMENTS.map(wrongPayment);

/** A VASP must compare the whole of it. */
const likeOwn = (ctx: ModuleContext): string => lookAlike(ctx.symbol, own(ctx));

/** An account may take no payment without a tag. */
async function payUntagged(ctx: ModuleContext): Promise<string> {
  const [address, tag] = splitAddress(own(ctx));
  if (tag === undefined) return ctx.doesNotApply('The account of the customer has no destination tag.');
  return pay(ctx, address).catch(error => {
    if (!(error instanceof Refused)) throw error;
    return ctx.doesNotApply(`The address takes no payment without a destination tag: ${error.message}`);
  });
}

function ofAnotherCustomer(ctx: ModuleContext): string {
  const account = own(ctx);
  const other = ctx.world.customers?.customers
    .map(each => accountOf(each, ctx.symbol))
    .find(each => each !== undefined && !ctx.sameAccount(each, account));
  return other ?? ctx.skip(`Add a second customer with an account for ${ctx.symbol} to the customers file.`);
}

/** Past the enclave, which refuses such a report. */
async function tell(
  ctx: ModuleContext,
  verificationUuid: string,
  txHash: string,
  more: { vout?: string } = {},
): Promise<undefined> {
  await callback(ctx, 'TX_REPORT', { verificationUuid, txHash, ...more });
}

/**
 * The first of the verifications is paid and credited, then comes `act`. Returns the balance before it. A VASP that does not
 * credit the right payment is not judged about the wrong one.
 */
async function afterCredit(
  ctx: ModuleContext<Words>,
  first: bigint | undefined,
  verifications: number,
  act: (txHash: string, uuids: [string, string, string]) => Promise<unknown>,
): Promise<bigint | undefined> {
  const uuids: string[] = [];
  while (uuids.length < verifications) uuids.push((await verified(ctx)).uuid);
  const txHash = await robotPays(ctx, uuids[0]!);
  const before = first === undefined ? undefined : await balanceWithCredit(ctx, first);
  await act(txHash, uuids as [string, string, string]);
  return before;
}

async function balanceWithCredit(ctx: ModuleContext<Words>, first: bigint): Promise<bigint> {
  const wanted = first + unitsOf(ctx, ctx.amount);
  const [customer, { waitMs }] = [ctx.customer(), ctx.world];
  const last = await awaitBalance(ctx, 'not-credited', { customer, before: first, wanted, waitMs, isLast: true });
  if (last === wanted) return wanted;
  const expected = `+${ctx.amount} ${ctx.symbol} for the first payment, which is right`;
  checkGrowth(ctx, 'next-credited', { customer, before: first, wanted, last, expected });
  return ctx.stop();
}
