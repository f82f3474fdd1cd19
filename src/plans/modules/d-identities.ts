import { nameDifference } from '../../contract/persons.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { isAccountNumberChanged } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { type Condition, planModule } from '../module.ts';
import { call, refusesCaller, resultIn, statusCause } from '../steps/answers.ts';
import {
  accountOnTheWire,
  accountQuestion,
  type DepositRequest,
  depositRequest,
  onTheWire,
} from '../steps/deposit-requests.ts';
import {
  ACCOUNT_QUESTIONS,
  acceptedOf,
  COMPANY_QUESTIONS,
  isAccepted,
  NAME_QUESTIONS,
} from '../steps/identity-questions.ts';
import { type IdentityQuestion, MISMATCHED, NOT_VERIFIED, NOTHING } from '../steps/near-miss-names.ts';
import { robotVerifies, UserAnswerShape } from '../steps/robot-pays.ts';
import { tells, valuesOf } from '../steps/told-values.ts';

/** D1.g to D1.i and D2.k to D2.m: does the VASP compare the whole identity, and nothing but the identity? */

const ACCOUNT = {
  of: 'account',
  name: 'Account verification',
  clause: 'WIRE-3.1',
  ask: askAccount,
  silence: 'An answer tells nothing about the customer but the result.',
} as const;
const USER = {
  of: 'user',
  name: 'User verification',
  clause: 'WIRE-3.2',
  ask: askUser,
  silence: 'An answer that is not VERIFIED tells nothing about the customer.',
} as const;
type Kind = typeof ACCOUNT | typeof USER;

interface Case {
  id: string;
  kind: Kind;
  title: string;
  /** Of its questions, unless one names another. */
  clause: string;
  questions: Readonly<Record<string, IdentityQuestion>>;
}

const NAMES = { title: 'the names of a natural person', clause: 'REF-4.6.6', questions: NAME_QUESTIONS };
const COMPANIES = { title: 'the names of a legal person', clause: 'REF-4.6.7', questions: COMPANY_QUESTIONS };
const ACCOUNTS = { title: 'account numbers and networks', clause: 'REF-4.6.6', questions: ACCOUNT_QUESTIONS };

const CASES: readonly Case[] = [
  { id: 'D1.g', kind: ACCOUNT, ...NAMES },
  { id: 'D1.h', kind: ACCOUNT, ...COMPANIES },
  { id: 'D1.i', kind: ACCOUNT, ...ACCOUNTS },
  { id: 'D2.k', kind: USER, ...NAMES },
  { id: 'D2.l', kind: USER, ...COMPANIES },
  { id: 'D2.m', kind: USER, ...ACCOUNTS },
];

export const identities = CASES.map(({ id, kind, title, clause, questions }) => {
  const asked = Object.entries(questions).filter(([, { only = kind.of }]) => only === kind.of);
  return planModule({
    id,
    paysNothing: true,
    title: `${kind.name}: ${title}`,
    needs: ['customer'],
    conditions: {
      ...Object.fromEntries(asked.map(([word, question]) => [word, conditionOf({ clause, ...question })])),
      'nothing-told': { clause: kind.clause, text: kind.silence },
    } as Readonly<Record<string, Condition>>,
    async run(ctx) {
      const answers: Answer[] = [];
      for (const [word, question] of asked) answers.push(...(await judge(ctx, kind, word, question)));
      if (answers.length === 0) return ctx.omit('nothing-told', 'There was no such answer.');
      const told = answers.filter(({ isTold }) => isTold).map(({ exchange }) => exchange);
      ctx.check('nothing-told', told.length === 0, {
        expected: 'no name, no date and no place of birth of the customer',
        got: told.length === 0 ? 'none' : 'data of the customer that the request does not have',
        from: told.slice(0, 1),
      });
    },
  });
});

function conditionOf(question: IdentityQuestion & { clause: string }): Condition {
  const { clause, about, accepted = MISMATCHED, severity } = question;
  const right = accepted.length > 0 ? `: ${accepted.join(' or ')}` : '';
  return { clause, ...(severity ? { severity } : {}), text: `The answer is right for ${about}${right}.` };
}

interface Answer {
  exchange: LoggedExchange;
  /** It tells what nobody asked. */
  isTold: boolean;
}

/** Nothing, if there is no answer or it may tell something: D2.n judges a VERIFIED one of a user verification. */
async function judge(ctx: ModuleContext, kind: Kind, word: string, question: IdentityQuestion): Promise<Answer[]> {
  const request = question.ask(ctx);
  if (typeof request === 'string' || asksRightName(question, request)) {
    ctx.omit(word, typeof request === 'string' ? request : NOTHING);
    return [];
  }
  const exchange = await (question.isRaw && kind === USER ? askUserDirectly : kind.ask)(ctx, request);
  const from = [exchange];
  const got = `${resultIn(exchange)}${otherAccount(exchange, depositRequest(ctx, request))}`;
  const accepted = acceptedOf(ctx, word, question);
  const operation = kind === USER ? 'verifyUser' : 'verifyAccount';
  const cause = refusesCaller(exchange)
    ? statusCause(exchange, operation)
    : { address: operation, kind: `${ctx.id} ${got}`, title: `${operation} answers ${got} for ${question.about}` };
  ctx.check(word, isAccepted(accepted, got), { expected: accepted.join(' or '), got, from, cause });
  const mayTell = kind === USER && got.startsWith('VERIFIED');
  if (!exchange || exchange.status === null || mayTell) return [];
  const values = valuesOf(request.customer);
  const asked = json(exchange.request);
  const unasked = values.filter(value => !tells(asked, [value]));
  return [{ exchange, isTold: tells(json(exchange.response), unasked, asked) }];
}

/** A name that was changed may still be that of the customer (D-09). */
const asksRightName = ({ accepted = MISMATCHED }: IdentityQuestion, { customer, persons }: DepositRequest): boolean =>
  persons !== undefined &&
  (accepted === MISMATCHED || accepted.includes(NOT_VERIFIED)) &&
  nameDifference(customer, persons) === undefined;

/** WIRE-3.2: VERIFIED for another account than the one that was sent is an error of the VASP. */
function otherAccount(exchange: LoggedExchange | undefined, { payload }: VerifyUserRequest): string {
  const answer = UserAnswerShape.safeParse(json(exchange?.response)).data;
  if (answer?.result !== 'VERIFIED') return '';
  const answered = answer.ivms101?.beneficiary?.accountNumber ?? [];
  const sent = payload.ivms101.beneficiary.accountNumber;
  return isAccountNumberChanged(sent, answered) ? ` for the account ${answered.join(', ') || 'none'}` : '';
}

function askAccount(ctx: ModuleContext, request: DepositRequest): Promise<LoggedExchange | undefined> {
  return call(ctx, 'verifyAccount', accountOnTheWire(ctx, accountQuestion(ctx, request)));
}

function askUserDirectly(ctx: ModuleContext, request: DepositRequest): Promise<LoggedExchange | undefined> {
  const verificationUuid = ctx.world.uuid();
  const body = onTheWire(ctx, depositRequest(ctx, request), verificationUuid);
  return call(ctx, 'verifyUser', body, { verificationUuid });
}

async function askUser(ctx: ModuleContext, request: DepositRequest): Promise<LoggedExchange | undefined> {
  return (await robotVerifies(ctx, depositRequest(ctx, request))).exchange;
}
