import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { balanceNow, balanceOf, judgeCredit } from '../steps/balances.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbackSent, robotPays } from '../steps/robot-pays.ts';
import { requireFaucet } from '../steps/wrong-payments.ts';

/** Real time in which a VASP that wants one confirmation has credited. Meanwhile no block comes. */
const CREDITED_MS = 1_500;
/** The node knows the states of a few more. */
const MAX_BLOCKS = 100;

/** A VASP that knows payments by their block credits one of them twice. One that wants more confirmations credits it later. */
export const movedPayment = planModule({
  id: 'D16',
  plan: 'deposit',
  title: 'A reorganisation moves the payment of the robot to another block',
  clauses: ['WIRE-3.4', 'REF-4.5'],
  needs: ['customer', 'robot funds', 'faucet'],
  symbols: ['ETH'],
  conditions: {
    credited: {
      clause: 'WIRE-3.4',
      text: 'The customer is credited with the amount, once, whichever block holds the payment.',
    },
  },
  async run(ctx) {
    const customer = await requireFaucet(ctx);
    if (ctx.world.isShared()) ctx.doesNotApply('Another check uses the ledger, and its payments would move, too.');
    const { uuid } = await verifiedDeposit(ctx, 'credited', { customer });
    const before = await balanceOf(ctx, 'credited', customer);
    const txHash = await robotPays(ctx, uuid);
    await callbackSent(ctx, 'TX_REPORT', uuid);
    await ctx.holdLedger();
    const isCredited = async () => (await balanceNow(ctx, 'credited', customer)) !== before || undefined;
    await ctx.until(CREDITED_MS, isCredited);
    await movePayment(ctx, txHash);
    await judgeCredit(ctx, 'credited', { customer, before, amount: ctx.amount, isLast: true });
  },
});

async function movePayment(ctx: ModuleContext, txHash: string): Promise<void> {
  const chain = await ctx.world.chain(ctx.symbol);
  const blockOf = async () => {
    const state = await chain.stateOf(txHash);
    return 'height' in state ? state : ctx.trouble(`No block holds ${txHash}.`);
  };
  const { height, blockHash } = await blockOf();
  const depth = (await chain.head()).height - height + 1;
  if (depth > MAX_BLOCKS) ctx.missesPremise(`${depth} blocks came after the payment.`);
  await ctx.api.setControl(ctx.symbol, 'reorg', { depth, moved: true });
  await ctx.releaseLedger();
  if ((await blockOf()).blockHash === blockHash) ctx.missesPremise('The payment stayed in its block.');
}
