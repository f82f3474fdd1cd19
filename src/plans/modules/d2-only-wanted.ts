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
    await judge(ctx, 'account-only', { customer, wanted: ACCOUNT }, without(valuesOf(customer)));
    const birth = [dateOfBirth, placeOfBirth].filter(text => text !== '');
    if (birth.length === 0) ctx.omit('name-only', 'Add date and place of birth to the customers file.');
    else await judge(ctx, 'name-only', { customer }, without(birth));
    if (dateOfBirth === '') ctx.omit('birth', 'Add the date of birth to the customers file.');
    else await judge(ctx, 'birth', { customer, wanted: NAME_AND_BIRTH }, bornOn(dateOfBirth));
    await judge(ctx, 'order', { customer, wanted: 'ACCOUNT_NUMBER,NATURAL_PERSON_NAME' }, NAMED);
    await judge(ctx, 'blanks', { customer, wanted: ' NATURAL_PERSON_NAME , ACCOUNT_NUMBER ' }, NAMED);
    await judgeCompany(ctx);
  },
});

const ACCOUNT = 'ACCOUNT_NUMBER';
const NAME_AND_BIRTH = 'NATURAL_PERSON_NAME,NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH,ACCOUNT_NUMBER';
const VERIFIED = 'VERIFIED / OK';

interface Wanted {
  expected: string;
  /** What is wrong with a VERIFIED answer. */
  problemIn(answer: Record<string, unknown> | undefined): string | undefined;
  /** An answer that is right, too. */
  other?: string;
}

const personIn = (answer: unknown) =>
  UserAnswerShape.safeParse(answer).data?.ivms101?.beneficiary?.beneficiaryPersons?.[0]?.naturalPerson;

const without = (unwanted: readonly string[]): Wanted => ({
  expected: `${VERIFIED}, and nothing that was not wanted`,
  problemIn: answer => (tells(answer, unwanted) ? 'data that nobody wanted' : undefined),
});

const NAMED: Wanted = {
  expected: `${VERIFIED} with the name`,
  problemIn: answer => (personIn(answer)?.name === undefined ? 'no name' : undefined),
};

/** A VASP that gives no dates of birth says so. One that gives them gives the right ones. */
const bornOn = (born: string): Wanted => ({
  expected: `${VERIFIED} with the date of birth, or DENIED / UNAVAILABLE-INFORMATION`,
  problemIn(answer) {
    const given = personIn(answer)?.dateAndPlaceOfBirth?.dateOfBirth;
    return given === born ? undefined : given === undefined ? 'no date of birth' : 'another date of birth';
  },
  other: 'DENIED / UNAVAILABLE-INFORMATION',
});

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
  await judge(ctx, 'company-account-only', { customer: company, wanted: ACCOUNT }, without(valuesOf(company)));
  const { names } = company;
  const [first, ...others] = names.representatives;
  if (others.length === 0)
    return ctx.omit('one-representative', 'Add a second representative to the legal person of the customers file.');
  const asked = { ...company, names: { ...names, representatives: [first!] } };
  const own = valuesOf(asked);
  const unwanted = valuesOf(company).filter(value => !own.includes(value));
  await judge(ctx, 'one-representative', { customer: company, persons: personsOf(asked) }, without(unwanted));
}

async function judge<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  order: DepositRequest,
  { expected, problemIn, other }: Wanted,
): Promise<void> {
  const { exchange } = await robotVerifies(ctx, depositRequest(ctx, order));
  const got = resultIn(exchange);
  const problem = got === VERIFIED ? problemIn(json(exchange?.response)) : undefined;
  const isRight = problem === undefined && (got === VERIFIED || got === other);
  ctx.check(word, isRight, { expected, got: problem ? `${got} with ${problem}` : got, from: [exchange] });
}
