import type { ModuleContext } from '../context.ts';
import { callsOf } from './driver-acts.ts';
import { noPaymentText, type Ordered, paymentsOf, userCall } from './withdrawals.ts';

/** Conduct of the tested VASP as originator. Each is judged again at the end of the run. */

/** The data for that second judgement. */
export interface ConductMemo {
  symbol: string;
  account: string;
  amount: string;
  earlier: readonly string[];
  uuid?: string | undefined;
  /** WIRE-2.3: the account verification was about the address only, so the name is judged afterwards. */
  mayVerifyUser?: boolean;
}

export const memoOf = (
  { symbol, account, amount, earlier }: Ordered,
  more: Partial<ConductMemo> = {},
): ConductMemo => ({ symbol, account, amount, earlier, ...more });

export function remember(ctx: ModuleContext, ordered: Ordered, more?: Partial<ConductMemo>): ConductMemo {
  const memo = memoOf(ordered, more);
  ctx.memo = memo;
  return memo;
}

/** A VASP that does not wait would have paid within this real time. The result is held back no longer than `maxMs`. */
export const earlyMs = ({ world }: ModuleContext, maxMs: number): number =>
  Math.min(Math.max(world.waitMs / 40, 250), maxMs);
export const watchedText = (ms: number): string => `none within ${ms / 1000} s`;

export async function judgeNoPayment<W extends string = 'no-payment'>(
  ctx: ModuleContext<W>,
  memo: ConductMemo,
  word = 'no-payment' as NoInfer<W>,
): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check(word, payments.length === 0, {
    expected: 'no payment',
    got: payments.length === 0 ? 'none' : `paid in transaction ${payments[0]?.txHash}`,
  });
}

export async function judgeOneTransfer<W extends string = 'one-transfer'>(
  ctx: ModuleContext<W>,
  memo: ConductMemo,
  word = 'one-transfer' as NoInfer<W>,
): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check(word, payments.length === 1, {
    expected: 'one payment',
    got:
      payments.length === 0
        ? await noPaymentText(ctx, memo)
        : `${payments.length === 1 ? 'one payment' : `${payments.length} payments`}: ${payments.map(({ txHash }) => txHash).join(', ')}`,
    ...(payments.length === 0 ? { cause: NO_TRANSFER, ifServed: true } : {}),
  });
}

const NO_TRANSFER = { address: 'ledger', kind: 'no-payment', title: 'The VASP does not pay after VERIFIED' };

/** The account verification did not answer VERIFIED, so nothing may follow. */
export async function judgeNoFurther(ctx: ModuleContext<'no-further'>, memo: ConductMemo): Promise<void> {
  const from = callsOf(ctx, userCall(ctx, memo));
  const payments = await paymentsOf(ctx, memo);
  const { mayVerifyUser = false } = memo;
  ctx.check('no-further', (mayVerifyUser || from.length === 0) && payments.length === 0, {
    expected: mayVerifyUser ? 'no payment' : 'no user verification and no payment',
    got: `user verifications: ${from.length}, payments: ${payments.length}`,
    from,
  });
}

/** What comes of a withdrawal. */
export interface End {
  isPaid: boolean;
  text: string;
}

/** Undefined: it is still open. */
export async function endOf(ctx: ModuleContext, memo: ConductMemo): Promise<End | undefined> {
  const [payment] = await paymentsOf(ctx, memo);
  if (payment) return { isPaid: true, text: `the payment ${payment.txHash}` };
  return errorReports(ctx, memo).length > 0 ? { isPaid: false, text: 'an error report' } : undefined;
}

export const errorReports = ({ evidence }: ModuleContext, { uuid }: ConductMemo) =>
  evidence.accepted('report-error', uuid!);

export async function judgeOneEnd(ctx: ModuleContext<'one-end'>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  const from = errorReports(ctx, memo);
  ctx.check('one-end', payments.length <= (from.length > 0 ? 0 : 1), {
    expected: 'one payment, or an error report',
    got: `${payments.length} payments, ${from.length} error reports`,
    from,
  });
}

export const ONE_END = {
  clause: 'REF-4.6.2',
  text: 'There is at most one payment, and none with an error report.',
} as const;
export const ONE_TRANSFER = { clause: 'REF-4.6.2', text: 'There is exactly one payment.' } as const;
export const NO_PAYMENT = { clause: 'REF-4.6.2', text: 'No money moves.' } as const;
