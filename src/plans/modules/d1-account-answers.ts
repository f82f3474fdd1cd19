import type { AccountReason } from '../../contract/clauses.ts';
import { natural } from '../../contract/persons.ts';
import { parseTimestamp } from '../../contract/time.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { onlyIf, planModule } from '../module.ts';
import {
  answerConditions,
  call,
  judgeAnswer,
  pair,
  pairFields,
  requireInTime,
  unverifiedCause,
} from '../steps/answers.ts';
import { accountOnTheWire, accountQuestion, type DepositRequest } from '../steps/deposit-requests.ts';
import { AccountAnswerShape, belongs } from '../steps/robot-pays.ts';
import { judgeTime, timeConditions } from '../steps/times.ts';

/** D1: the robot verifies accounts of the tested VASP. */

interface Case {
  letter: string;
  title: string;
  /** Undefined: VERIFIED. */
  reason?: AccountReason;
  /** WIRE-3.1: KYC need not be judged here. */
  mayBeVerified?: true;
  question(ctx: ModuleContext): DepositRequest;
  symbol?: string;
}

export const UNOFFERED_SYMBOL = 'ZZZT';
export const STRANGER = natural('Nonesuch', 'Quentin');

const ordinary = (ctx: ModuleContext): DepositRequest => ({ customer: ctx.customer() });

const CASES: readonly Case[] = [
  { letter: 'a', title: 'Account verification: the account of a customer', question: ordinary },
  {
    letter: 'b',
    title: 'Account verification: an address of nobody',
    reason: 'UNKNOWN-ADDRESS',
    question: ctx => ({ customer: ctx.customer(), to: ctx.nobody() }),
  },
  {
    letter: 'c',
    title: 'Account verification: the account of a customer, another name',
    reason: 'MISMATCHED-NAME',
    question: ctx => ({ customer: ctx.customer(), persons: [STRANGER] }),
  },
  {
    letter: 'd',
    title: 'Account verification: a symbol that the VASP does not offer',
    reason: 'UNKNOWN-SYMBOL',
    question: ordinary,
    symbol: UNOFFERED_SYMBOL,
  },
  {
    letter: 'e',
    title: 'Account verification: a legal person with its representative',
    question: ctx => ({ customer: ctx.customer({ kind: 'legal' }) }),
  },
  {
    letter: 'f',
    title: 'Account verification: a customer without KYC',
    reason: 'UNVERIFIED-KYC',
    mayBeVerified: true,
    question: ctx => ({ customer: ctx.customer({ kyc: false }) }),
  },
];

const acceptedOf = ({ reason, mayBeVerified }: Case): string[] => [
  ...(reason ? [pair('DENIED', reason)] : []),
  ...(reason && !mayBeVerified ? [] : [pair('VERIFIED', undefined)]),
];

const TIMES = timeConditions('WIRE-3.1', '`verifiedAt` has milliseconds.', '`verifiedAt` is the time of the answer.');

const GROWS = { clause: 'WIRE-3.1', severity: 'WARNING', text: '`verifiedAt` of a later answer is later.' } as const;

export const accountAnswers = CASES.map(each =>
  planModule({
    id: `D1.${each.letter}`,
    paysNothing: true,
    title: each.title,
    needs: ['customer'],
    conditions: {
      ...answerConditions('WIRE-3.1', '1 s'),
      reason: { clause: 'REF-2.3', text: 'The reason belongs to the result.' },
      result: { clause: 'WIRE-3.1', text: `The answer is ${acceptedOf(each).join(' or ')}.` },
      // Of one case is enough.
      ...onlyIf(each.letter === 'a', { ...TIMES, grows: GROWS }),
    },
    async run(ctx) {
      const { symbol } = each;
      const question = accountQuestion(ctx, each.question(ctx));
      const exchange = symbol
        ? await call(ctx, 'verifyAccount', accountOnTheWire(ctx, { ...question, symbol }))
        : await askAccount(ctx, question);
      const answer = judgeAnswer(ctx, exchange, { operation: 'verifyAccount', shape: AccountAnswerShape });
      if (!answer || !exchange) return;
      const from = [exchange];
      const got = pair(answer.accountVerificationResult, answer.reason);
      const isPair = belongs(answer.accountVerificationResult, answer.reason);
      if (ctx.check('reason', isPair, { expected: 'a reason of the result', got, from }))
        judgeResult(ctx, acceptedOf(each), got, from);
      if (each.letter !== 'a') return;
      judgeTime(ctx, { value: json(exchange.response)?.verifiedAt, from });
      ctx.memo = exchange;
    },
    ...(each.letter === 'a' ? { late: judgeGrowth } : {}),
  }),
);

/** Through the robot and the enclave. A VASP that fails makes the robot's action fail, too. */
async function askAccount(ctx: ModuleContext, question: ReturnType<typeof accountQuestion>) {
  requireInTime(ctx, 'verifyAccount');
  await ctx.api.robotVerifyAccount(question).catch(() => {});
  // The symbol that no VASP offers belongs to no lane: the question of the other lane is seen here, too.
  return ctx.evidence.sent('verifyAccount').find(({ request }) => json(request)?.symbol === question.symbol);
}

function judgeResult(ctx: ModuleContext<'result'>, accepted: string[], got: string, from: LoggedExchange[]): void {
  const isAccepted = accepted.includes(got);
  const fields = isAccepted ? [] : pairFields(accepted[0]!, got);
  const isOfFile = accepted.length === 1 && accepted[0] === pair('VERIFIED', undefined);
  const cause = isOfFile ? { cause: unverifiedCause('verifyAccount', got) } : {};
  ctx.check('result', isAccepted, { expected: accepted.join(' or '), got, fields, from, ...cause });
}

/** Some seconds later, so that whole seconds will do. */
async function judgeGrowth(ctx: ModuleContext<'grows'>, memo: unknown): Promise<void> {
  const first = memo as LoggedExchange;
  await ctx.world.target.post('verifyAccount', first.request!);
  const { exchanges } = await ctx.api.exchanges({ operation: 'verifyAccount', direction: 'OUT', limit: 1 });
  const [before, after] = [first.response, exchanges[0]?.response ?? null].map(response => json(response)?.verifiedAt);
  const times = [before, after].map(each => parseTimestamp(String(each)));
  if (times.some(time => time === undefined)) return ctx.omit('grows', 'The second answer has no such time.');
  ctx.check('grows', times[1]! > times[0]!, { expected: `later than ${before}`, got: String(after), from: [first] });
}
