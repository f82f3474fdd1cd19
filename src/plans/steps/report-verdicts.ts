import type { ModuleContext } from '../context.ts';
import { NEWEST, type Ordered, paymentsOf } from './withdrawals.ts';

/** D-24: the robot's verdict on the named transaction. Undefined: it has none yet. */
export async function verdictOf(ctx: ModuleContext, uuid: string) {
  const { verifications } = await ctx.api.verifications({ limit: 50 });
  return verifications.find(each => each.verificationUuid === uuid)?.report ?? undefined;
}

/** Says why the robot does not credit the payment; empty: there is no verdict. */
export async function verdictText(ctx: ModuleContext, uuid: string): Promise<string> {
  const report = await verdictOf(ctx, uuid);
  return report && report.verdict !== 'CREDITED' ? `; ${report.verdict}: ${report.got}` : '';
}

/** The verified payment came with another hash, for example with a higher fee. */
export async function paidInstead(ctx: ModuleContext, ordered: Ordered): Promise<string | undefined> {
  const [payment] = await paymentsOf(ctx, ordered, NEWEST);
  return payment && `, but ${payment.txHash} has paid ${ordered.amount} ${ctx.symbol}`;
}
