import { ASSETS } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceNow, balanceOf, judgeCredit, rememberAllowed } from '../steps/balances.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, payFromFaucet, robotPays } from '../steps/robot-pays.ts';
import { requireFaucet, unitsOf } from '../steps/wrong-payments.ts';
import { anotherCustomer } from './d3-reported-deposit.ts';

type Word = 'each-payment' | 'each-customer';

/** WIRE-2.7: one transaction for several withdrawals. On Ethereum a contract makes it. */
export const oneTransaction = planModule({
  id: 'D15',
  plan: 'deposit',
  title: 'One transaction of a contract pays a customer twice, and another one',
  clauses: ['WIRE-2.7', 'D-25', 'D-26'],
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
    const first = await requireFaucet(ctx);
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
    for (const uuid of uuids) {
      await ctx.api.robotReport(uuid, txHash);
      await callbackSent(ctx, 'TX_REPORT', uuid);
    }
    const plain = ctx.amountOf(4);
    const sum = (...amounts: string[]) => amounts.reduce((units, each) => units + unitsOf(ctx, each), 0n);
    const [a, b, c] = payments.map(({ amount }) => amount) as [string, string, string];
    const sees = await looksIntoContracts(ctx, { first, before, other, otherBefore, plain });
    if (!sees) {
      rememberAllowed(
        ctx,
        first,
        [a, c, plain].map(each => unitsOf(ctx, each)),
      );
      rememberAllowed(ctx, other, [unitsOf(ctx, b)]);
      for (const word of ['each-payment', 'each-customer'] as const) ctx.omit(word, BLIND);
      return;
    }
    const amount = formatUnits(sum(a, c, plain), ASSETS[ctx.symbol].decimals);
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
