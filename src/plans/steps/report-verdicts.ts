import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { NEWEST, type Ordered, paymentsOf } from './withdrawals.ts';

/** D-24: the robot's verdict on the named transaction. Undefined: it has none yet. */
export const verdictOf = async ({ api }: ModuleContext, verificationUuid: string) =>
  (await api.verifications({ verificationUuid })).verifications[0]?.report ?? undefined;

const UNDECIDED = ['AWAITED', 'NOT-FINAL'];

/** The verdict that stays. It is an act of the sandbox, so its delay says nothing about the VASP. */
export async function decidedVerdict(ctx: ModuleContext, uuid: string) {
  const decided = await ctx.untilPaid(ctx.world.sandboxMs, async () => {
    const report = await verdictOf(ctx, uuid);
    return report && !UNDECIDED.includes(report.verdict) ? report : undefined;
  });
  return decided ?? ctx.trouble(`The robot has not judged the payment of ${uuid}.`);
}

/** Says why the robot does not credit the payment; empty: there is no verdict. */
export async function verdictText(ctx: ModuleContext, uuid: string): Promise<string> {
  const report = await verdictOf(ctx, uuid);
  return report && report.verdict !== 'CREDITED' ? `; ${report.verdict}: ${report.got}` : '';
}

/** The robot credits the payment. Its balance does not tell: a payment of an earlier module may be credited now, too. */
export async function judgeCredited(ctx: ModuleContext<'credited'>, ordered: Ordered, uuid: string): Promise<void> {
  await decidedVerdict(ctx, uuid);
  const payments = await paymentsOf(ctx, ordered, NEWEST);
  const isCredited = payments.some(each => each.verificationUuid === uuid && each.status === 'CREDITED');
  ctx.check('credited', isCredited, {
    expected: `${ordered.amount} ${ctx.symbol} credited`,
    got: isCredited ? 'credited' : `not credited${await verdictText(ctx, uuid)}`,
  });
}

/** Judges the reported hash. A person must look where the node has forgotten a replaced transaction. */
export async function judgeNamed(
  ctx: ModuleContext<'names-payment'>,
  ordered: Ordered,
  report: LoggedExchange,
): Promise<void> {
  const txHash = String(json(report.request)?.txHash);
  const paid = await ctx.untilPaid(ordered.acting.waitMs, async () => {
    const payments = await paymentsOf(ctx, ordered, NEWEST);
    return payments.length > 0 ? payments.map(each => each.txHash) : undefined;
  });
  if (!paid) return ctx.omit('names-payment', 'No payment came.');
  const isNamed = isOneOf(paid, txHash);
  const shown = { expected: paid.join(' or '), got: txHash, from: [report] };
  const { status } = isNamed ? { status: 'final' } : await (await ctx.world.chain(ctx.symbol)).stateOf(txHash);
  if (status !== 'unknown') return void ctx.check('names-payment', isNamed, shown);
  const later = await ctx.until(ordered.acting.waitMs, () =>
    ctx.evidence
      .received('report-transaction', report.verificationUuid!)
      .find(each => each.status === 200 && isOneOf(paid, String(json(each.request)?.txHash))),
  );
  if (later) return void ctx.check('names-payment', true, { ...shown, got: paid.join(), from: [report, later] });
  ctx.review('names-payment', `No node knows ${txHash}. Look whether ${paid[0]} has replaced it.`, shown);
}

const isOneOf = (hashes: readonly string[], txHash: string): boolean =>
  hashes.some(each => each.toLowerCase() === txHash.toLowerCase());

export const NAMES_PAYMENT = {
  clause: 'WIRE-2.7',
  text: 'The report names the payment of this verification.',
} as const;

/** The verified payment came with another hash, for example with a higher fee. */
export async function paidInstead(ctx: ModuleContext, ordered: Ordered): Promise<string | undefined> {
  const [payment] = await paymentsOf(ctx, ordered, NEWEST);
  return payment && `, but ${payment.txHash} has paid ${ordered.amount} ${ctx.symbol}`;
}
