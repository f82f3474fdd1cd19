import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceOf } from '../steps/balances.ts';
import { bringLost } from '../steps/held.ts';
import { callback, unknownHash } from '../steps/raw-calls.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbacksSent, robotPays } from '../steps/robot-pays.ts';
import { judgeCredits } from '../steps/several-credits.ts';
import { requireFaucet } from '../steps/wrong-payments.ts';

/** Errors, and then connections that break. A VASP that looks at its chain seldom meets fewer. */
const ERRORS = { afterPayment: 6, maxMs: 3_000 };
const DROPS = { times: 2, maxMs: 1_500 };

type Word = 'reported' | 'unreported' | 'invented';

export const nodeTrouble = planModule({
  id: 'D20',
  plan: 'deposit',
  title: 'The node of the VASP fails for a while',
  clauses: ['REF-4.5', 'WIRE-3.4'],
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
  async run(ctx: ModuleContext<Word>) {
    const customer = await requireFaucet(ctx);
    const before = await balanceOf(ctx, 'reported', customer);
    const [reported, unreported, invented] = await Promise.all([
      asked(ctx, customer, 1),
      asked(ctx, customer, 2),
      asked(ctx, customer, 3),
    ]);
    const target = `devnet.${ctx.symbol}` as const;
    const errors = await ctx.fault({ target, mode: 'error' });
    await pay(ctx, { reported, unreported, invented });
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

const asked = async (ctx: ModuleContext<Word>, customer: Customer, nth: number): Promise<string> =>
  (await verifiedDeposit(ctx, 'reported', { customer, amount: ctx.amountOf(nth) })).uuid;

/** The robot has a node of its own. */
async function pay(ctx: ModuleContext, uuids: Record<Word, string>): Promise<void> {
  await Promise.all([robotPays(ctx, uuids.reported), robotPays(ctx, uuids.unreported, { omitTxReport: true })]);
  await callback(ctx, 'TX_REPORT', { verificationUuid: uuids.invented, txHash: unknownHash(ctx) });
}

/** How many failures the VASP has met. Undefined: all that were ordered. */
const met = async ({ api, symbol }: ModuleContext): Promise<number | undefined> =>
  (await api.faults()).faults.find(({ target }) => target === `devnet.${symbol}`)?.used;
