import { pause } from '../../timers/loop.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import {
  ACCOUNT_FIRST,
  type ConductMemo,
  judgeAccountFirst,
  judgeNoPayment,
  NO_PAYMENT,
  remember,
} from '../steps/conduct.ts';
import { awaitCall } from '../steps/driver-acts.ts';
import { call } from '../steps/raw-calls.ts';
import { callbackSent } from '../steps/robot-pays.ts';
import { orderWithdrawal, verificationOf } from '../steps/withdrawals.ts';
import { acceptedCall } from './w4-transfers.ts';

/** W4.3: the error report. */

export const canceledWithdrawal = planModule({
  id: 'W4.3',
  plan: 'withdrawal',
  title: 'Error report instead of the transfer',
  clauses: ['WIRE-2.8', 'D-15'],
  needs: ['driver'],
  conditions: {
    'account-first': ACCOUNT_FIRST,
    reported: { clause: 'WIRE-2.8', text: 'The VASP sends an error report, and the enclave accepts it.' },
    error: { clause: 'D-15', text: 'The result becomes ERROR.' },
    'no-payment': NO_PAYMENT,
    status: { clause: 'REF-3', text: 'The status of the withdrawal becomes CANCELED.' },
    later: { clause: 'WIRE-3.4', text: 'A copy of the result that comes after the error report moves no money.' },
  },
  async run(ctx) {
    const ordered = await orderWithdrawal(ctx, 'report-error', { payee: 'taylor-robbins' });
    const { uuid, exchange } = await verificationOf(ctx, 'reported', ordered);
    judgeAccountFirst(ctx, ordered, exchange.id);
    const report = await awaitCall(
      ctx,
      'reported',
      ordered.acting,
      acceptedCall('report-error', uuid ?? 'no verification'),
    );
    ctx.check('reported', true, { expected: 'an accepted error report', got: 'accepted', from: [report] });
    const { result } = await ctx.api.verification(uuid!);
    ctx.check('error', result === 'ERROR', { expected: 'ERROR', got: result ?? 'none', from: [report] });
    await judgeNoPayment(ctx, remember(ctx, ordered, { uuid }));
    await judgeStatus(ctx, uuid!);
    if (ctx.resultOf('no-payment') !== 'PASSED') return;
    const sent = await callbackSent(ctx, 'VERIFICATION_RESULT', uuid!);
    if (!sent) return;
    await call(ctx, 'callback', sent.request!, { verificationUuid: uuid! });
    await judgeNoPayment(ctx, ctx.memo as ConductMemo, 'later');
  },
  late: (ctx, memo) => judgeNoPayment(ctx, memo as ConductMemo, ctx.isJudged('later') ? 'later' : 'no-payment'),
});

const ASK_AGAIN_MS = 500;

/** A VASP may cancel in several steps. */
async function judgeStatus(ctx: ModuleContext<'status'>, verificationUuid: string): Promise<void> {
  let query: LoggedExchange | undefined;
  await ctx.until(ctx.world.waitMs, async () => {
    if (query) await pause(ASK_AGAIN_MS, ctx.world.signal);
    query = await call(ctx, 'transactionStatus', { verificationUuid }, { verificationUuid });
    return query?.status !== 200 || statusIn(query) === CANCELED || undefined;
  });
  if (query?.status !== 200) return ctx.omit('status', 'The status query was not answered with 200: see W4.2.');
  const got = String(statusIn(query));
  ctx.check('status', got === CANCELED, { expected: CANCELED, got, from: [query] });
}

const CANCELED = 'CANCELED';
const statusIn = ({ response }: LoggedExchange): unknown => json(response)?.transactionStatus;
