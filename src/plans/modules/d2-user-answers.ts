import { missingInformation, otherNames } from '../../contract/callbacks.ts';
import { checkAnswer } from '../../contract/ivms101-check/check.ts';
import { natural } from '../../contract/persons.ts';
import { unrequestedPaths } from '../../contract/requested-data.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { isRequiredInfoCode, parseRequiredInfo } from '../../contract/required-info.ts';
import { isAccountNumberChanged } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import { type Condition, onlyIf, planModule } from '../module.ts';
import {
  answerConditions,
  call,
  judgeAnswer,
  judgeIvms101,
  noAddress,
  pair,
  pairFields,
  resultIn,
} from '../steps/answers.ts';
import { customerPersons, depositRequest, onTheWire } from '../steps/deposit-requests.ts';
import { belongs, robotVerifies, type UserAnswer, UserAnswerShape } from '../steps/robot-pays.ts';
import { STRANGER, UNOFFERED_SYMBOL } from './d1-account-answers.ts';

/** D2: the robot verifies users of the tested VASP. */

interface Case {
  letter: string;
  title: string;
  /** Accepted answers; undefined: every result with a reason of its own. */
  accepted?: readonly string[];
  request(ctx: ModuleContext): VerifyUserRequest;
  /** Past the enclave: the robot itself has no such symbol. */
  isRaw?: true;
}

const VERIFIED = ['VERIFIED / OK'];
const ordinary = (ctx: ModuleContext) => depositRequest(ctx, { customer: ctx.customer() });

const CASES: readonly Case[] = [
  { letter: 'a', title: 'User verification: a customer', accepted: VERIFIED, request: ordinary },
  {
    letter: 'b',
    title: 'User verification: an address of nobody',
    accepted: ['DENIED / UNKNOWN-ADDRESS', 'UNKNOWN / UNKNOWN-ADDRESS'],
    request: ctx => depositRequest(ctx, { customer: ctx.customer(), to: ctx.nobody() }),
  },
  {
    letter: 'c',
    title: 'User verification: the account of a customer, another name',
    accepted: ['DENIED / MISMATCHED-NAME'],
    request: ctx => depositRequest(ctx, { customer: ctx.customer(), persons: [STRANGER] }),
  },
  {
    letter: 'd',
    title: 'User verification: the originator has no birth date',
    accepted: ['DENIED / LACK-OF-INFORMATION', 'VERIFIED / OK'],
    request: ctx => withOriginator(ordinary(ctx), natural('Robbins', 'Taylor')),
  },
  {
    letter: 'e',
    title: 'User verification: information with an unknown code is wanted',
    accepted: ['DENIED / UNAVAILABLE-INFORMATION'],
    request: ctx => ({
      ...ordinary(ctx),
      requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER,NATURAL_PERSON_SHOE_SIZE',
    }),
  },
  {
    letter: 'f',
    title: 'User verification: a symbol that the VASP does not offer',
    accepted: ['DENIED / UNKNOWN-SYMBOL'],
    request(ctx) {
      const request = ordinary(ctx);
      return { ...request, assetInfo: { ...request.assetInfo, symbol: UNOFFERED_SYMBOL } };
    },
    isRaw: true,
  },
  {
    letter: 'g',
    title: 'User verification: a huge amount',
    request: ctx => depositRequest(ctx, { customer: ctx.customer(), amount: `98765432109876${ctx.amount}` }),
  },
  {
    letter: 'h',
    title: 'User verification: names in another script and another Unicode form',
    accepted: VERIFIED,
    request: inAnotherScript,
  },
  {
    letter: 'i',
    title: 'User verification: a legal person with its representative',
    accepted: VERIFIED,
    request: ctx => depositRequest(ctx, { customer: ctx.customer({ kind: 'legal' }) }),
  },
  {
    letter: 'j',
    title: 'User verification: a customer without KYC',
    accepted: ['DENIED / UNVERIFIED-KYC'],
    request: ctx => depositRequest(ctx, { customer: ctx.customer({ kyc: false }) }),
  },
];

function withOriginator(request: VerifyUserRequest, person: ReturnType<typeof natural>): VerifyUserRequest {
  const { ivms101 } = request.payload;
  const originator = { ...ivms101.originator, originatorPersons: [person] };
  return { ...request, payload: { ...request.payload, ivms101: { ...ivms101, originator } } };
}

/** An originator with a Hangul name; the beneficiary's own name decomposed (NFD), and composed as the local name beside it. */
function inAnotherScript(ctx: ModuleContext): VerifyUserRequest {
  const hangul = {
    primaryIdentifier: '홍'.normalize('NFD'),
    secondaryIdentifier: '길동'.normalize('NFD'),
    nameIdentifierType: 'LEGL',
  };
  const customer = ctx.customer();
  const { nameIdentifier } = customerPersons(customer)[0]!.naturalPerson!.name!;
  const decomposed = JSON.parse(JSON.stringify(nameIdentifier).normalize('NFD'));
  const named = { naturalPerson: { name: { nameIdentifier: decomposed, localNameIdentifier: nameIdentifier } } };
  const originator = natural(hangul.primaryIdentifier, hangul.secondaryIdentifier, {
    dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: '서울' },
  });
  return withOriginator(depositRequest(ctx, { customer, persons: [named] }), originator);
}

const CONTENT = {
  wanted: {
    clause: 'WIRE-3.2',
    text: 'The answer names the person of the request with everything that was requested.',
  },
  ivms101: { clause: 'WIRE-4', text: 'The answer keeps the standard IVMS101 of 2020.' },
} as const satisfies Record<string, Condition>;

const MESSAGE = {
  clause: 'REF-2.3',
  severity: 'WARNING',
  text: 'The message of the denial names the information.',
} as const;
const isAboutFields = (got: string): boolean => /^DENIED \/ (LACK-OF|UNAVAILABLE)-INFORMATION$/.test(got);

/** The other cases may be denied, and then nothing is given. */
export const userAnswers = CASES.map(({ letter, title, accepted, request: requestOf, isRaw }) =>
  planModule({
    id: `D2.${letter}`,
    paysNothing: true,
    title,
    needs: ['customer'],
    conditions: {
      ...answerConditions('WIRE-3.2', '5 s'),
      reason: { clause: 'REF-2.3', text: 'The reason belongs to the result.' },
      // Where every result is right, none is wanted.
      ...onlyIf(accepted, { result: { clause: 'WIRE-3.2', text: `The answer is ${accepted?.join(' or ')}.` } }),
      ...onlyIf(accepted === VERIFIED, CONTENT),
      // It is optional (WIRE-3.2), and a person at the other VASP needs it.
      ...onlyIf(accepted?.some(isAboutFields), { message: MESSAGE }),
      account: { clause: 'WIRE-3.2', text: 'The account numbers come back exactly as they were sent.' },
      'only-wanted': { clause: 'WIRE-3.2', text: 'The answer holds no information that was not requested.' },
      same: { clause: 'WIRE-3.2', text: 'The same request has the same result when it comes again.' },
    },
    async run(ctx) {
      const request = requestOf(ctx);
      const uuid = ctx.world.uuid();
      const exchange = isRaw
        ? await call(ctx, 'verifyUser', onTheWire(ctx, request, uuid), { verificationUuid: uuid })
        : (await robotVerifies(ctx, request)).exchange;
      const answer = judgeAnswer(ctx, exchange, { operation: 'verifyUser', shape: UserAnswerShape });
      if (!answer || !exchange) return;
      judgeUser(ctx, { request, accepted, answer, exchange });
      await judgeRepetition(ctx, exchange, answer);
    },
  }),
);

type Word = 'message' | 'reason' | 'result' | 'wanted' | 'ivms101' | 'account' | 'only-wanted' | 'same';

interface Answered {
  request: VerifyUserRequest;
  accepted: readonly string[] | undefined;
  answer: UserAnswer;
  exchange: LoggedExchange;
}

function judgeUser(ctx: ModuleContext<Word>, { request, accepted, answer, exchange }: Answered): void {
  const from = [exchange];
  const got = pair(answer.result, answer.reason);
  const isPair = belongs(answer.result, answer.reason);
  ctx.check('reason', isPair, { expected: 'a reason of the result', got, from });
  if (isPair && accepted)
    ctx.check('result', accepted.includes(got), {
      expected: accepted.join(' or '),
      got,
      fields: accepted.includes(got) ? [] : pairFields(accepted[0]!, got),
      from,
    });
  if (isAboutFields(got)) {
    const isNamed = (answer.message ?? '').trim() !== '';
    const shown = isNamed ? 'a list' : 'no message';
    ctx.check('message', isNamed, { expected: 'a list of information codes', got: shown, from });
  }
  const sent = request.payload.ivms101.beneficiary.accountNumber;
  const answered = answer.ivms101?.beneficiary?.accountNumber ?? [];
  const mayBeAbsent = answer.result !== 'VERIFIED' && answered.length === 0;
  ctx.check('account', mayBeAbsent || !isAccountNumberChanged(sent, answered), {
    expected: sent.join(', '),
    got: answered.join(', ') || 'none',
    from,
  });
  const expected = request.requiredBeneficiaryInfo;
  const persons = answer.ivms101?.beneficiary?.beneficiaryPersons ?? [];
  const codes = parseRequiredInfo(expected).filter(isRequiredInfoCode);
  if (accepted === VERIFIED && answer.result === 'VERIFIED') {
    const lacking = [
      ...missingInformation(persons, codes).map(({ code }) => `no ${code}`),
      // The report names no persons.
      ...otherNames(request.payload.ivms101.beneficiary.beneficiaryPersons, persons).map(
        ({ field }) => `another name in ${field}`,
      ),
    ];
    ctx.check('wanted', lacking.length === 0, { expected, got: lacking.join(', ') || 'all of it', from });
    // `account` judges the account numbers.
    const beneficiary = { ...answer.ivms101?.beneficiary, accountNumber: sent };
    judgeIvms101(ctx, checkAnswer(beneficiary, 'ivms101.beneficiary', exchange.at).problems, from);
  }
  const extra = unrequestedPaths(persons, codes).map(path => `beneficiaryPersons${path}`);
  ctx.check('only-wanted', extra.length === 0, {
    expected,
    got: extra.length === 0 ? 'nothing else' : `also ${extra.join(', ')}`,
    from,
  });
}

async function judgeRepetition(ctx: ModuleContext<'same'>, first: LoggedExchange, answer: UserAnswer): Promise<void> {
  const again = await call(ctx, 'verifyUser', first.request!, { verificationUuid: first.verificationUuid });
  const got = resultIn(again);
  const expected = pair(answer.result, answer.reason);
  ctx.check('same', got === expected, { expected, got, from: [first, again] });
}

const CONCURRENT = 4;
const OF_OTHERS = { customer: 'DENIED / MISMATCHED-NAME', stranger: 'VERIFIED / OK' } as const;

/** A VASP that keeps the question outside of its call answers another one. One that is too slow for them is judged elsewhere. */
export const questionsAtOnce = planModule({
  id: 'D2.o',
  paysNothing: true,
  title: `${CONCURRENT} user verifications at once, every other one with another name`,
  needs: ['customer'],
  conditions: { own: { clause: 'WIRE-3.2', text: 'None of them gets the result of another one.' } },
  async run(ctx) {
    if (ctx.world.target.url('verifyUser') === undefined) ctx.skip(noAddress('verifyUser'));
    const customer = ctx.customer();
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT }, async (_, index) => {
        const who = index % 2 === 0 ? 'customer' : 'stranger';
        const persons = who === 'stranger' ? { persons: [STRANGER] } : {};
        const amount = ctx.amountOf(index + 1);
        const { uuid, exchange } = await robotVerifies(ctx, depositRequest(ctx, { customer, amount, ...persons }));
        const { result, reason } = await ctx.api.verification(uuid);
        return { who, got: pair(result ?? 'no result', reason), exchange } as const;
      }),
    );
    const wrong = answers.find(({ who, got }) => got === OF_OTHERS[who]);
    ctx.check('own', wrong === undefined, {
      expected: `not ${wrong?.got ?? 'the result of another one'}`,
      got: wrong ? `${wrong.got} for the ${wrong.who}` : 'none',
      from: [wrong?.exchange],
    });
  },
});
