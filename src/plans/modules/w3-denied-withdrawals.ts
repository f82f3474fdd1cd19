import type { Reason } from '../../contract/reasons.ts';
import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { refusalText } from '../steps/answers.ts';
import { judgeNoPayment, NO_PAYMENT, remember } from '../steps/conduct.ts';
import { callback } from '../steps/raw-calls.ts';
import { callbackSent } from '../steps/robot-pays.ts';
import { orderWithdrawal, resultOf, verificationOf } from '../steps/withdrawals.ts';

/** W3.n to W3.w: withdrawals that the user verification ends, one for each other result and reason. */

interface Case {
  letter: string;
  /** A user of the robot who passes the account verification. */
  payee: string;
  result: 'DENIED' | 'ERROR';
  reason: Reason;
  title?: string;
  before?(ctx: ModuleContext): Promise<void>;
  /** The verification is open, and its result is not awaited yet. */
  opened?(ctx: ModuleContext): Promise<void>;
  /** The result is there. Default: waits until the VASP has it. */
  ended?(ctx: ModuleContext, uuid: string): Promise<unknown>;
  alone?: true;
}

const denied = (letter: string, reason: Reason): Case => ({
  letter,
  payee: reason.toLowerCase(),
  result: 'DENIED',
  reason,
});

/** No VASP knows it. */
const REASON_OF_TOMORROW = 'REASON-OF-TOMORROW';

const CASES: readonly Case[] = [
  denied('n', 'BLACKLISTED'),
  denied('o', 'MISMATCHED-NAME'),
  denied('p', 'UNVERIFIED-KYC'),
  denied('q', 'UNKNOWN-SYMBOL'),
  denied('r', 'UNKNOWN-NETWORK'),
  denied('s', 'UNKNOWN-ADDRESS'),
  denied('t', 'NOT-ALLOWED'),
  denied('u', 'UNDEFINED-ERROR'),
  {
    letter: 'v',
    payee: 'never-answers',
    result: 'ERROR',
    reason: 'REQUEST-TIMEOUT',
    alone: true,
    async opened(ctx) {
      if (ctx.movesTime) await ctx.api.advance(`${ctx.world.timeoutMs.verifyUser + 1_000}ms`);
    },
  },
  {
    ...denied('w', 'NOT-ALLOWED'),
    title: 'DENIED with a reason that nobody knows, without a message',
    alone: true,
    async before(ctx) {
      await ctx.fault({ target: 'callback.VERIFICATION_RESULT', mode: 'drop', times: 1 });
    },
    async ended(ctx, verificationUuid) {
      const data = { verificationResult: 'DENIED', reason: REASON_OF_TOMORROW, message: '' };
      await callback(ctx, 'VERIFICATION_RESULT', { verificationUuid, ...data });
    },
  },
];

/** The VASP has the result, so it may pay by mistake. */
const heard = (ctx: ModuleContext, uuid: string) => callbackSent(ctx, 'VERIFICATION_RESULT', uuid);

export const deniedWithdrawals = CASES.map(each => {
  const { letter, result, reason, title = `${result} / ${reason}` } = each;
  return planModule({
    id: `W3.${letter}`,
    plan: 'withdrawal',
    title: `A withdrawal ends with the user verification: ${title}`,
    clauses: ['REF-4.6.2', 'REF-2.3'],
    needs: ['driver'],
    ...(each.alone ? { alone: true } : { paysNothing: true }),
    conditions: {
      result: { clause: 'REF-2.3', text: `The VASP asks, and the result is ${result} / ${reason}.` },
      'no-payment': NO_PAYMENT,
    },
    run: ctx => play(ctx, each),
    late: judgeNoPayment,
  });
});

async function play(ctx: ModuleContext<'result' | 'no-payment'>, each: Case): Promise<void> {
  await each.before?.(ctx);
  const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: each.payee });
  const { uuid, exchange } = await verificationOf(ctx, 'result', ordered);
  await each.opened?.(ctx);
  const got = uuid ? await resultOf(ctx, uuid) : refusalText(exchange);
  if (uuid) await (each.ended ?? heard)(ctx, uuid);
  const expected = `${each.result} / ${each.reason}`;
  ctx.check('result', got === expected, { expected, got: got ?? 'no result', from: [exchange] });
  await judgeNoPayment(ctx, remember(ctx, ordered, { uuid }));
}
