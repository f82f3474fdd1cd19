import { toBaseUnits } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';
import { type Condition, type PlanModule, planModule } from '../module.ts';
import {
  balanceNow,
  balanceOf,
  growthText,
  judgeCredit,
  judgeNoCredit,
  rememberAllowed,
  rememberWrong,
  withoutLateCredits,
} from './balances.ts';
import type { DepositRequest } from './deposit-requests.ts';
import { payableCustomer, reportPayment, robotPays, verifiedDeposit } from './robot-pays.ts';

/** Payments that must not be credited. After each a right payment follows: then the VASP has seen the wrong one, too. */

const NOT_CREDITED = { clause: 'WIRE-3.4', text: 'The payment is not credited as if it were right.' };
const CREDITED_ONCE = { clause: 'REF-4.5', text: 'A right payment after it is credited, once.' };
export type Words = 'not-credited' | 'next-credited';
type Context = ModuleContext<Words>;

export interface WrongPayment extends Pick<PlanModule, 'id' | 'title' | 'symbols' | 'mostlyWaits'> {
  /** Default: no condition of its own. */
  notCredited?: Condition;
  /** Nothing is paid by the faucet, so a public ledger will do. */
  byRobot?: true;
  /** Makes the payment. `first`: the balance. Returns another balance if a right payment was credited before the wrong one. */
  pay(ctx: Context, first: bigint | undefined): Promise<bigint | undefined>;
  /** The right payment after it. */
  next?(ctx: Context): string;
  /** Between its verification and its payment. */
  beforeNext?(ctx: Context, uuid: string): Promise<unknown>;
  /** The part that the ledger has delivered. A VASP may credit it. */
  delivered?(ctx: Context): bigint;
  /** The amounts that a VASP may credit by mistake. Default: that of the module. */
  mistaken?(ctx: Context): bigint[];
}

export const wrongPayment = (each: WrongPayment): PlanModule => {
  const { notCredited = NOT_CREDITED, byRobot = false } = each;
  return planModule({
    ...each,
    needs: ['customer', 'robot funds', ...(byRobot ? [] : ['faucet' as const])],
    conditions: { 'not-credited': notCredited, 'next-credited': CREDITED_ONCE },
    async run(ctx: Context) {
      const customer = await payableCustomer(ctx);
      const first = await balanceOf(ctx, 'not-credited', customer);
      const before = (await each.pay(ctx, first)) ?? first;
      await judgeAfterRightPayment(ctx, before, each);
    },
  });
};

/** The payment is reported for a VERIFIED verification. */
export async function reportFor(
  ctx: Context,
  order: Omit<DepositRequest, 'customer'>,
  pay: () => Promise<string>,
): Promise<undefined> {
  const { uuid } = await verified(ctx, order);
  await reportPayment(ctx, uuid, await pay());
}

export const verified = (ctx: Context, order: Omit<DepositRequest, 'customer'> = {}) =>
  verifiedDeposit(ctx, 'not-credited', { customer: ctx.customer(), ...order });

export const unitsOf = ({ symbol }: ModuleContext, amount: string): bigint => toBaseUnits(symbol, amount);

/** `before`: what the balance is without the wrong payment. */
async function judgeAfterRightPayment(
  ctx: Context,
  before: bigint | undefined,
  { id, title, next = () => ctx.amountOf(2), delivered = () => 0n, mistaken, beforeNext }: WrongPayment,
): Promise<void> {
  const customer = ctx.customer();
  if (before === undefined) return judgeNoCredit(ctx, 'not-credited', { customer, before });
  const [right, part] = [next(ctx), delivered(ctx)];
  const { uuid } = await verifiedDeposit(ctx, 'next-credited', { customer, amount: right });
  await beforeNext?.(ctx, uuid);
  await robotPays(ctx, uuid);
  const wrong = unitsOf(ctx, ctx.amount);
  const wanted = before + unitsOf(ctx, right);
  const known = [before, wanted].flatMap(each => [each, each + wrong, each + part]);
  const read = async () =>
    withoutLateCredits(ctx, customer, await balanceNow(ctx, 'not-credited', customer), known) ?? before;
  await ctx.until(ctx.world.waitMs, async () => ((await read()) >= wanted ? true : undefined));
  const last = await read();
  const isTaken = last > wanted + part || last === before + wrong;
  const mistakes = mistaken?.(ctx) ?? [wrong];
  if (isTaken && ctx.omitsAdvice('not-credited', ctx.evidence.sent('verifyUser')[0]))
    return rememberAllowed(ctx, customer, [unitsOf(ctx, right), ...mistakes]);
  const isExplained = mistakes.some(each => last === before + each || last === wanted + each);
  ctx.check('not-credited', !isTaken, {
    expected: `+${right} ${ctx.symbol}${part === 0n ? '' : `, or ${growthText(ctx, wanted + part - before)} with the delivered part`}`,
    got: `${growthText(ctx, last - before)}${isExplained ? ': the wrong payment is credited' : ''}`,
    ...(isExplained && { cause: { address: 'credit', kind: id, title: `A wrong payment is credited: ${title}` } }),
  });
  // What has not come yet may come during another module.
  if (isTaken) return rememberAllowed(ctx, customer, [unitsOf(ctx, right), ...mistakes]);
  rememberWrong(ctx, customer, mistakes);
  const ofPart = last === wanted + part || last === before + part ? part : 0n;
  await judgeCredit(ctx, 'next-credited', {
    customer,
    before: before + ofPart,
    amount: right,
    waitMs: 0,
    isLast: true,
  });
}
