import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { call, delivered, judgeDelivery } from '../steps/answers.ts';
import { type ConductMemo, earlyMs, judgeOneTransfer, ONE_TRANSFER, remember, watchedText } from '../steps/conduct.ts';
import { callbackSent, untilActed } from '../steps/robot-pays.ts';
import {
  ACCOUNT_FIRST,
  judgeAccountFirst,
  type Opened,
  type Ordered,
  orderWithdrawal,
  paymentsOf,
  shownResult,
  untilPayment,
  VERIFIED,
  verificationOf,
} from '../steps/withdrawals.ts';

/** W3.i to W3.k and C7: the result comes late, twice, or before the answer of the call. */

const TO = { payee: 'taylor-robbins' } as const;
const RESULT = { clause: 'WIRE-2.4', text: 'The result is VERIFIED / OK.' } as const;
const LATE = { sandbox: '4s', real: '3s' } as const;
const HELD_BACK_MS = 2_500;

const lateResult = planModule({
  id: 'W3.i',
  title: 'The result comes late',
  needs: ['driver'],
  alone: true,
  conditions: {
    result: RESULT,
    'account-first': ACCOUNT_FIRST,
    waits: { clause: 'REF-4.6.2', text: 'The VASP does not pay before the result.' },
    'one-transfer': ONE_TRANSFER,
  },
  async run(ctx) {
    const delay = LATE[ctx.world.settings.clock];
    const fault = await ctx.fault({ target: 'robot.verifyUser', mode: 'delay', delay, times: 1 });
    const ordered = await orderWithdrawal(ctx, 'withdraw', TO);
    const { uuid, exchange } = await verificationOf(ctx, 'result', ordered);
    judgeAccountFirst(ctx, ordered, exchange.id);
    const watchedMs = earlyMs(ctx, HELD_BACK_MS);
    await ctx.until(watchedMs, () => undefined);
    await ctx.idle();
    const [early] = await paymentsOf(ctx, ordered);
    // On a busy machine the result may be there before this look.
    if (early && uuid && (await ctx.api.verification(uuid)).result !== undefined)
      ctx.missesPremise('The result came before the look for a payment.');
    await ctx.removeFault(fault);
    await ctx.advance('5s');
    await judgeTransfer(ctx, ordered, { uuid, exchange });
    ctx.check('waits', early === undefined, {
      expected: 'no payment before the result',
      got: early?.txHash ?? watchedText(watchedMs),
    });
  },
  late: judgeOneTransfer,
});

const resultTwice = planModule({
  id: 'W3.j',
  title: 'The result comes twice',
  needs: ['driver'],
  alone: true,
  conditions: {
    result: RESULT,
    'account-first': ACCOUNT_FIRST,
    'one-transfer': ONE_TRANSFER,
    later: { clause: 'WIRE-3.4', text: 'A copy of the result that comes after the payment changes nothing.' },
  },
  async run(ctx) {
    const target = 'callback.VERIFICATION_RESULT';
    const fault = await ctx.fault({ target, mode: 'duplicate', times: 1 });
    const ordered = await orderWithdrawal(ctx, 'withdraw', TO);
    const { uuid, exchange } = await verificationOf(ctx, 'result', ordered);
    const callback = uuid && (await callbackSent(ctx, 'VERIFICATION_RESULT', uuid));
    await ctx.removeFault(fault);
    judgeAccountFirst(ctx, ordered, exchange.id);
    await judgeTransfer(ctx, ordered, { uuid, exchange });
    if (!callback || ctx.resultOf('one-transfer') !== 'PASSED') return;
    await call(ctx, 'callback', callback.request!, { verificationUuid: uuid });
    await judgeOneTransfer(ctx, ctx.memo as ConductMemo, 'later');
  },
  async late(ctx, memo) {
    await judgeOneTransfer(ctx, memo as ConductMemo);
    if (ctx.isJudged('later')) await judgeOneTransfer(ctx, memo as ConductMemo, 'later');
  },
});

/** Enough on a quiet machine. */
const BEFORE_THE_ANSWER_MS = 50;
/** A VASP that has not answered the callback by then may wait for the answer of its call. */
const WITH_THE_VASP_MS = 250;

/** The answer of the call waits, longer at every start, so the callback overtakes it. */
async function withOvertakingCallback(ctx: ModuleContext<'result'>) {
  const fault = await ctx.fault({
    target: 'answer.verify-user',
    mode: 'delay',
    delay: `${Math.round(BEFORE_THE_ANSWER_MS * 2.5 ** (ctx.start - 1))}ms`,
    times: 1,
  });
  const ordered = await orderWithdrawal(ctx, 'withdraw', TO);
  const opened = await verificationOf(ctx, 'result', ordered);
  await ctx.removeFault(fault);
  if (opened.uuid) await requireOvertaking(ctx, opened.uuid, opened.exchange);
  return { ordered, ...opened };
}

/** On a busy machine the answer may come first, also when the callback was sent before it. The module then starts again. */
async function requireOvertaking(ctx: ModuleContext, uuid: string, { at, durationMs }: LoggedExchange): Promise<void> {
  const callback = await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
  if (callback && callback.at + Math.min(callback.durationMs, WITH_THE_VASP_MS) >= at + durationMs)
    ctx.missesPremise('The callback did not come before the answer of the call.');
}

const resultBeforeAnswer = planModule({
  id: 'W3.k',
  title: 'The result comes before the answer of the call',
  needs: ['driver'],
  alone: true,
  conditions: { result: RESULT, 'account-first': ACCOUNT_FIRST, 'one-transfer': ONE_TRANSFER },
  async run(ctx) {
    const { ordered, uuid, exchange } = await withOvertakingCallback(ctx);
    judgeAccountFirst(ctx, ordered, exchange.id);
    await judgeTransfer(ctx, ordered, { uuid, exchange });
  },
  late: judgeOneTransfer,
});

const callbackBeforeAnswer = planModule({
  id: 'C7',
  title: 'A callback comes before the answer of the call that caused it',
  needs: ['driver'],
  alone: true,
  conditions: { result: RESULT, ...delivered('VERIFICATION_RESULT'), 'one-transfer': ONE_TRANSFER },
  async run(ctx) {
    const { ordered, uuid, exchange } = await withOvertakingCallback(ctx);
    const callback = uuid ? await callbackSent(ctx, 'VERIFICATION_RESULT', uuid) : undefined;
    judgeDelivery(ctx, callback, 'callback', uuid);
    await judgeTransfer(ctx, ordered, { uuid, exchange });
  },
  late: judgeOneTransfer,
});

/** VERIFIED, then one payment within the time for an act. */
async function judgeTransfer(
  ctx: ModuleContext<'result' | 'one-transfer'>,
  ordered: Ordered,
  opened: Opened,
): Promise<void> {
  const { result, shown } = await shownResult(ctx, ordered, opened);
  if (!ctx.check('result', result === VERIFIED, { expected: VERIFIED, ...shown })) ctx.stop();
  await untilActed(ctx, ordered.acting.waitMs, ms => untilPayment(ctx, ordered, { ms }));
  await judgeOneTransfer(ctx, remember(ctx, ordered, { uuid: opened.uuid }));
}

/** The robot judges the verification all the same. A VASP gives up, or asks again and pays for one of the results. */
export const answerLost = planModule({
  id: 'W3.ab',
  title: 'The answer of the user verification is lost',
  needs: ['driver'],
  symbols: [],
  alone: true,
  conditions: {
    once: { clause: 'REF-4.6.2', text: 'The VASP pays the withdrawal at most once, also when it asks again.' },
  },
  async run(ctx) {
    const target = 'answer.verify-user';
    const fault = await ctx.fault({ target, mode: 'drop', times: 1 });
    const ordered = await orderWithdrawal(ctx, 'withdraw', TO);
    await verificationOf(ctx, 'once', ordered);
    await ctx.removeFault(fault);
    await judgeAtMostOne(ctx, remember(ctx, ordered));
  },
  late: judgeAtMostOne,
});

async function judgeAtMostOne(ctx: ModuleContext<'once'>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check('once', payments.length <= 1, {
    expected: 'one payment, or none',
    got: payments.length === 0 ? 'none' : payments.map(({ txHash }) => txHash).join(', '),
  });
}

export const timings = [lateResult, resultTwice, resultBeforeAnswer, callbackBeforeAnswer];
