import { TransactionStatusResult } from '../../contract/verification.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { answerConditions, judgeAnswer, problemIn, worstOf } from '../steps/answers.ts';
import { askWhileOld, isLate, NOT_MINED, nextQuery, queriesOf } from '../steps/inquiries.ts';
import { judgeCredited } from '../steps/report-verdicts.ts';
import { ACCOUNT_FIRST, NEWEST, noPaymentText, paymentsOf, withdraw } from '../steps/withdrawals.ts';
import { timingOf } from '../timing.ts';

/** W4.2 and W4.4: the robot asks for the status of a transaction. */

/** A payee of its own: its newest payments are few. */
const PAYEE = 'risk-medium';
const ANSWER = answerConditions('WIRE-3.3', '1 s');
const QUERY = { operation: 'transactionStatus', shape: TransactionStatusResult } as const;
/** REF-8 and D-17: the first query, then every five minutes for an hour. */
const MAX_QUERIES = 13;

/** REF-4.5.2: the ten minutes start again when the deposit is final. Time moves after that. */
const isReady =
  (ctx: ModuleContext) =>
  ({ status }: { status: string }): boolean =>
    !ctx.movesTime || status !== 'SEEN';

export const transferWithoutReport = planModule({
  id: 'W4.2',
  title: 'Transfer without a report: the robot asks',
  needs: ['driver', 'moved time'],
  alone: true,
  conditions: {
    'account-first': ACCOUNT_FIRST,
    paid: { clause: 'REF-4.6.2', text: 'The payment reaches the robot.' },
    ...ANSWER,
    truth: { clause: 'REF-3', text: 'The status and the hash are those of the chain.' },
    credited: { clause: 'D-18', text: 'The answer leads to the credit.' },
  },
  async run(ctx) {
    const { ordered, uuid } = await withdraw(ctx, 'paid', { payee: PAYEE }, 'send-without-report');
    const { waitMs } = ordered.acting;
    const payment = await ctx.untilPaid(waitMs, async () => {
      return (await paymentsOf(ctx, ordered, NEWEST)).find(isReady(ctx));
    });
    const expected = `${ordered.amount} ${ctx.symbol} at ${ordered.account}`;
    if (!payment) {
      ctx.notReceived('paid', { expected, got: `${await noPaymentText(ctx, ordered)} within ${waitMs / 1000} s` });
      return;
    }
    ctx.check('paid', true, { expected, got: payment.txHash });
    await nextQuery(ctx, uuid);
    await askWhileOld(ctx, uuid, NOT_MINED);
    const query = queriesOf(ctx, uuid).at(-1);
    const answer = judgeAnswer(ctx, query, QUERY);
    if (!answer) return;
    const isTrue =
      ['WAIT-CONFIRM', 'CONFIRMED'].includes(answer.transactionStatus) &&
      answer.txHash?.toLowerCase() === payment.txHash.toLowerCase();
    ctx.check('truth', isTrue, {
      expected: `CONFIRMED or WAIT-CONFIRM, ${payment.txHash}`,
      got: `${answer.transactionStatus}, ${answer.txHash || 'no hash'}`,
      from: [query!],
    });
    if (isTrue) await judgeCredited(ctx, ordered, uuid);
  },
});

export const noTransfer = planModule({
  id: 'W4.4',
  title: 'Neither transfer nor error report: the robot asks for an hour',
  needs: ['driver', 'moved time'],
  alone: true,
  conditions: {
    'in-time': { clause: 'WIRE-3.3', text: 'Every answer comes within 1 s.' },
    status: { clause: 'WIRE-3.3', text: 'The status of every answer is 200.' },
    shape: { clause: 'REF-2.4', text: 'Every answer has the documented members and types.' },
    'not-sent': { clause: 'REF-3', text: 'Every answer is PENDING or CANCELED.' },
    'no-hash': { clause: 'REF-2.4', text: 'No answer names a transaction.' },
  },
  async run(ctx) {
    const { uuid } = await withdraw(ctx, 'status', { payee: 'taylor-robbins' }, 'verify-user');
    let asked: Awaited<ReturnType<typeof nextQuery>> = 'by itself';
    // D-17: the robot stops asking after CANCELED. A late answer has failed the module.
    for (let query = 0; query < MAX_QUERIES && asked === 'by itself' && !isLate(ctx, uuid); query++)
      asked = await nextQuery(ctx, uuid);
    const queries = queriesOf(ctx, uuid);
    if (!judgeQueries(ctx, queries)) return;
    const answers = queries.map(({ response }) => json(response)!);
    const wrong = answers.findIndex(each => !NOT_SENT.includes(String(each.transactionStatus)));
    ctx.check('not-sent', wrong < 0, {
      expected: NOT_SENT.join(' or '),
      got: wrong < 0 ? countText(queries.length, asked) : String(answers[wrong]?.transactionStatus),
      from: wrong < 0 ? [] : [queries[wrong]!],
    });
    const named = answers.findIndex(({ txHash }) => txHash != null && txHash !== '');
    ctx.check('no-hash', named < 0, {
      expected: 'no hash',
      got: named < 0 ? 'none' : String(answers[named]?.txHash),
      from: named < 0 ? [] : [queries[named]!],
    });
  },
});

const NOT_SENT = ['PENDING', 'CANCELED'];

const countText = (count: number, asked: string): string =>
  `${count} ${count === 1 ? 'answer' : 'answers'}${
    asked === 'on order'
      ? ', the last to a query on order: the time is real, and the next query is due later than `--wait`'
      : ''
  }`;

/** The first answer that fails is shown. */
function judgeQueries(ctx: ModuleContext<'in-time' | 'status' | 'shape'>, queries: readonly LoggedExchange[]): boolean {
  const { transactionStatus: limitMs } = ctx.world.timeoutMs;
  const worst = worstOf(queries, limitMs);
  const shown =
    worst?.status === 200 && timingOf(worst, limitMs) === 'in time'
      ? (queries.find(each => problemIn(QUERY.shape, each) !== undefined) ?? worst)
      : worst;
  return judgeAnswer(ctx, shown, QUERY) !== undefined;
}
