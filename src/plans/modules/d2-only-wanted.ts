import type { Customer } from '../../contract/customers.ts';
import { personsOf } from '../../contract/persons.ts';
import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { planModule } from '../module.ts';
import { resultIn } from '../steps/answers.ts';
import { type DepositRequest, depositRequest } from '../steps/deposit-requests.ts';
import { robotVerifies, UserAnswerShape } from '../steps/robot-pays.ts';
import { tells, valuesOf } from '../steps/told-values.ts';

export const onlyWanted = planModule({
  id: 'D2.n',
  paysNothing: true,
  title: 'User verification: only what was wanted is given, by value',
  needs: ['customer'],
  conditions: {
    'account-only': {
      clause: 'WIRE-5',
      text: 'Where only ACCOUNT_NUMBER is wanted, the answer is VERIFIED and names nobody.',
    },
    'name-only': {
      clause: 'WIRE-5',
      text: 'Where the name is wanted, the answer is VERIFIED and tells no date and no place of birth.',
    },
    birth: {
      clause: 'WIRE-5',
      text: 'Where date and place of birth are wanted, the answer is VERIFIED with the date of birth of the customer, or DENIED / UNAVAILABLE-INFORMATION.',
    },
    order: { clause: 'WIRE-5', text: 'Where the codes come in another order, the answer is VERIFIED with the name.' },
    blanks: { clause: 'WIRE-5', text: 'Where blanks stand around the codes, the answer is VERIFIED with the name.' },
    'company-account-only': {
      clause: 'WIRE-5',
      text: 'Where only ACCOUNT_NUMBER of a legal person is wanted, the answer is VERIFIED and names nobody.',
    },
    'one-representative': {
      clause: 'WIRE-5',
      text: 'The answer for a legal person is VERIFIED and names no representative but the requested one.',
    },
  },
  async run(ctx) {
    const customer = ctx.customer();
    const { dateOfBirth = '', placeOfBirth = '' } = customer;
    await judge(ctx, 'account-only', { customer, wanted: ACCOUNT }, valuesOf(customer));
    const birth = [dateOfBirth, placeOfBirth].filter(text => text !== '');
    if (birth.length === 0) ctx.omit('name-only', 'Add date and place of birth to the customers file.');
    else await judge(ctx, 'name-only', { customer }, birth);
    if (dateOfBirth === '') ctx.omit('birth', 'Add the date of birth to the customers file.');
    else await judgeBirth(ctx, customer, dateOfBirth);
    await judgeCodes(ctx, 'order', { customer, wanted: 'ACCOUNT_NUMBER,NATURAL_PERSON_NAME' });
    await judgeCodes(ctx, 'blanks', { customer, wanted: ' NATURAL_PERSON_NAME , ACCOUNT_NUMBER ' });
    await judgeCompany(ctx);
  },
});

const ACCOUNT = 'ACCOUNT_NUMBER';
const NAME_AND_BIRTH = 'NATURAL_PERSON_NAME,NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH,ACCOUNT_NUMBER';

/** A VASP that gives no dates of birth says so. One that gives them gives the right ones. */
async function judgeBirth(ctx: ModuleContext<'birth'>, customer: Customer, born: string): Promise<void> {
  const { exchange } = await robotVerifies(ctx, depositRequest(ctx, { customer, wanted: NAME_AND_BIRTH }));
  const { ivms101 } = UserAnswerShape.safeParse(json(exchange?.response)).data ?? {};
  const [person] = ivms101?.beneficiary?.beneficiaryPersons ?? [];
  const given = person?.naturalPerson?.dateAndPlaceOfBirth?.dateOfBirth;
  const result = resultIn(exchange);
  const isRight = result === 'VERIFIED / OK' ? given === born : result === 'DENIED / UNAVAILABLE-INFORMATION';
  const what = given === undefined ? 'no date of birth' : 'another date of birth';
  ctx.check('birth', isRight, {
    expected: 'VERIFIED / OK with the date of birth, or DENIED / UNAVAILABLE-INFORMATION',
    got: isRight || result !== 'VERIFIED / OK' ? result : `${result} with ${what}`,
    from: [exchange],
  });
}

async function judgeCodes(
  ctx: ModuleContext<'order' | 'blanks'>,
  word: 'order' | 'blanks',
  { customer, wanted }: { customer: Customer; wanted: string },
): Promise<void> {
  const { exchange } = await robotVerifies(ctx, depositRequest(ctx, { customer, wanted }));
  const { ivms101 } = UserAnswerShape.safeParse(json(exchange?.response)).data ?? {};
  const isNamed = ivms101?.beneficiary?.beneficiaryPersons?.[0]?.naturalPerson?.name !== undefined;
  const got = resultIn(exchange);
  const isVerified = got === 'VERIFIED / OK';
  ctx.check(word, isVerified && isNamed, {
    expected: 'VERIFIED / OK with the name',
    got: isVerified ? `${got} with ${isNamed ? 'the name' : 'no name'}` : got,
    from: [exchange],
  });
}

async function judgeCompany(ctx: ModuleContext<'company-account-only' | 'one-representative'>): Promise<void> {
  const company = ctx.world.customers?.customers.find(
    (each): each is Extract<Customer, { kind: 'legal' }> =>
      each.kind === 'legal' && each.kyc && each.accounts[ctx.symbol] !== undefined,
  );
  if (!company) {
    for (const word of ['company-account-only', 'one-representative'] as const)
      ctx.omit(word, 'Add a legal person with KYC to the customers file.');
    return;
  }
  await judge(ctx, 'company-account-only', { customer: company, wanted: ACCOUNT }, valuesOf(company));
  const { names } = company;
  const [first, ...others] = names.representatives;
  if (others.length === 0)
    return ctx.omit('one-representative', 'Add a second representative to the legal person of the customers file.');
  const asked = { ...company, names: { ...names, representatives: [first!] } };
  const own = valuesOf(asked);
  const unwanted = valuesOf(company).filter(value => !own.includes(value));
  await judge(ctx, 'one-representative', { customer: company, persons: personsOf(asked) }, unwanted);
}

async function judge<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  order: DepositRequest,
  unwanted: readonly string[],
): Promise<void> {
  const { exchange } = await robotVerifies(ctx, depositRequest(ctx, order));
  const answer = json(exchange?.response);
  const got = resultIn(exchange);
  const isTold = tells(answer, unwanted);
  ctx.check(word, got === 'VERIFIED / OK' && !isTold, {
    expected: 'VERIFIED / OK, and nothing that was not wanted',
    got: `${got}${isTold ? ', with data that nobody wanted' : ''}`,
    from: [exchange],
  });
}
