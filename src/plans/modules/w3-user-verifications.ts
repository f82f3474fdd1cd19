import { accountOf, type Customer } from '../../contract/customers.ts';
import type { Persons } from '../../contract/ivms101.ts';
import { checkPayload } from '../../contract/ivms101-check/check.ts';
import { foldText, nameDifference } from '../../contract/persons.ts';
import { parseTimestamp } from '../../contract/time.ts';
import { isDecimal } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { onlyIf, planModule } from '../module.ts';
import { judgeIvms101 } from '../steps/answers.ts';
import { judgeNoPayment, NO_PAYMENT, remember } from '../steps/conduct.ts';
import { callbackSent } from '../steps/robot-pays.ts';
import { type Ordered, orderWithdrawal, shownResult, verificationOf, type Withdrawal } from '../steps/withdrawals.ts';
import { STRANGER, strangeAddress } from './w1-vasps-and-accounts.ts';

/** W3.a to W3.h, W3.l, W3.m and W3.aa: user verifications of the tested VASP. */

interface Case {
  letter: string;
  title: string;
  accepted: readonly string[];
  /** The account verification before it is VERIFIED: a whole withdrawal stops only at this result. */
  isWithdrawn?: true;
  withdrawal(ctx: ModuleContext): Withdrawal;
}

const VERIFIED = ['VERIFIED / OK'];
const MORE_INFORMATION = 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER,NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH';

const CASES: readonly Case[] = [
  { letter: 'a', title: 'a natural person', accepted: VERIFIED, withdrawal: () => ({ payee: 'taylor-robbins' }) },
  {
    letter: 'b',
    title: 'a legal person with its representative',
    accepted: VERIFIED,
    withdrawal: () => ({ payee: 'garrit-studio' }),
  },
  {
    letter: 'c',
    title: 'another name',
    accepted: ['DENIED / MISMATCHED-NAME'],
    withdrawal: () => ({ payee: 'taylor-robbins', named: STRANGER }),
  },
  {
    letter: 'd',
    title: 'a user without KYC',
    accepted: ['DENIED / UNVERIFIED-KYC'],
    withdrawal: () => ({ payee: 'ethan-cook' }),
  },
  {
    letter: 'e',
    title: 'the originator without date and place of birth',
    accepted: ['DENIED / LACK-OF-INFORMATION'],
    isWithdrawn: true,
    withdrawal: () => ({ payee: 'taylor-robbins', omit: ['dateAndPlaceOfBirth'] }),
  },
  {
    letter: 'f',
    title: 'more information is wanted than the robot gives',
    accepted: ['DENIED / UNAVAILABLE-INFORMATION'],
    isWithdrawn: true,
    withdrawal: () => ({ payee: 'taylor-robbins', requiredBeneficiaryInfo: MORE_INFORMATION }),
  },
  {
    letter: 'g',
    title: 'a listed originator',
    accepted: ['DENIED / BLACKLISTED'],
    withdrawal: ctx => ({ payee: 'taylor-robbins', customer: listedOriginator(ctx) }),
  },
  {
    letter: 'h',
    title: 'an address of nobody',
    accepted: ['DENIED / UNKNOWN-ADDRESS'],
    withdrawal: ctx => ({ payee: 'taylor-robbins', account: strangeAddress(ctx) }),
  },
  {
    letter: 'aa',
    title: 'a natural person, asked by a legal person that pays',
    accepted: VERIFIED,
    withdrawal: ctx => ({ payee: 'taylor-robbins', ...payingCompany(ctx) }),
  },
  {
    letter: 'l',
    title: 'the robot does not know the wallet: UNKNOWN instead of DENIED',
    accepted: ['UNKNOWN / UNKNOWN-ADDRESS'],
    isWithdrawn: true,
    withdrawal: () => ({ payee: 'unknown-wallet' }),
  },
  {
    letter: 'm',
    title: 'the robot answers for another account: ERROR instead of DENIED',
    accepted: ['ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED'],
    isWithdrawn: true,
    withdrawal: () => ({ payee: 'changes-account-number' }),
  },
];

/** WIRE-8.3. He has the account of the first customer. */
const listedOriginator = (ctx: ModuleContext): Customer => ({
  id: 'listed-originator',
  kind: 'natural',
  names: { lastName: 'Escobar', firstName: 'Pablo' },
  dateOfBirth: '1949-12-01',
  placeOfBirth: 'Colombia',
  accounts: ctx.world.driver || ctx.world.customers ? ctx.customer().accounts : {},
  kyc: true,
});

/** D-10. A person who acts by hand chooses the company. */
const payingCompany = (ctx: ModuleContext): Pick<Withdrawal, 'customer'> =>
  ctx.world.driver || ctx.world.customers ? { customer: ctx.customer({ kind: 'legal' }) } : {};

export const userVerifications = CASES.map(each =>
  planModule({
    id: `W3.${each.letter}`,
    paysNothing: true,
    title: `The VASP verifies a user: ${each.title}`,
    needs: ['driver'],
    conditions: {
      result: { clause: 'WIRE-2.4', text: `The result is ${each.accepted.join(' or ')}.` },
      amount: { clause: 'WIRE-2.4', text: '`assetInfo.amount` is decimal text.' },
      trade: {
        clause: 'WIRE-2.4',
        text: '`isExceedingThreshold`, `tradePrice`, `tradeCurrency` and `tradeISODatetime` are present.',
      },
      ivms101: { clause: 'WIRE-4', text: 'Originator and beneficiary keep the constraints of IVMS101.' },
      originator: { clause: 'WIRE-2.4', text: 'The originator has the name of the customer who pays.' },
      'originator-birth': {
        clause: 'WIRE-2.4',
        text: 'A date of birth of the originator is that of the customer who pays.',
      },
      'originator-birthplace': {
        clause: 'WIRE-2.4',
        severity: 'WARNING',
        text: 'A place of birth of the originator is that of the customer who pays.',
      },
      'originator-account': {
        clause: 'REF-4.5.3',
        severity: 'WARNING',
        text: 'The account number of the originator is that of the customer who pays.',
      },
      ...onlyIf(isRefused(each), { 'no-payment': NO_PAYMENT }),
    },
    run: ctx => play(ctx, each),
    ...(isRefused(each) ? { late: judgeNoPayment } : {}),
  }),
);

function isRefused({ accepted }: Case): boolean {
  return accepted !== VERIFIED;
}

async function play(
  ctx: ModuleContext<RequestWord | OriginatorWord | 'result' | 'no-payment'>,
  each: Case,
): Promise<void> {
  const action = each.isWithdrawn ? 'withdraw' : 'verify-user';
  const ordered = await orderWithdrawal(ctx, action, each.withdrawal(ctx));
  const { uuid, exchange } = await verificationOf(ctx, 'result', ordered);
  judgeRequest(ctx, exchange);
  // A refused request has any shape.
  if (exchange.status === 200) judgeOriginator(ctx, ordered, exchange);
  const { result, shown } = await shownResult(ctx, ordered, { uuid, exchange });
  if (result !== undefined || !['amount', 'trade'].some(word => ctx.resultOf(word as 'amount') === 'FAILED'))
    ctx.check('result', each.accepted.includes(result ?? ''), { expected: each.accepted.join(' or '), ...shown });
  if (!isRefused(each)) return;
  if (result !== undefined) await callbackSent(ctx, 'VERIFICATION_RESULT', uuid!);
  await judgeNoPayment(ctx, remember(ctx, ordered, { uuid }));
}

/** WIRE-4: an unknown place of birth may be the home address, so another place is a warning. */
const BIRTH_CONDITIONS = [
  ['originator-birth', 'dateOfBirth'],
  ['originator-birthplace', 'placeOfBirth'],
] as const;

type OriginatorWord = 'originator' | 'originator-birth' | 'originator-birthplace' | 'originator-account';

function judgeOriginator(ctx: ModuleContext<OriginatorWord>, { customer }: Ordered, exchange: LoggedExchange): void {
  if (!customer)
    return ctx.review(
      'originator',
      'Look at the originator of the call: name and account number must be those of the customer who pays. With a customers file the run compares them.',
    );
  const { payload } = json(exchange.request) as {
    payload: { ivms101: { originator: { originatorPersons: Persons; accountNumber: string[] } } };
  };
  const { originatorPersons, accountNumber } = payload.ivms101.originator;
  const from = [exchange];
  const difference = nameDifference(customer, originatorPersons);
  const expected = `the name of ${customer.id}`;
  ctx.check('originator', difference === undefined, { expected, got: difference ?? expected, from });
  for (const [word, member] of BIRTH_CONDITIONS) {
    const got = originatorPersons.flatMap(({ naturalPerson }) => naturalPerson?.dateAndPlaceOfBirth?.[member] || []);
    const own = customer[member];
    const isRight = own === undefined || got.length === 0 || got.map(foldText).includes(foldText(own));
    ctx.check(word, isRight, {
      expected: own ?? 'any: the customers file has none',
      got: got.join(', ') || 'none',
      from,
    });
  }
  const account = accountOf(customer, ctx.symbol);
  if (account === undefined) return;
  ctx.check(
    'originator-account',
    accountNumber.every(each => ctx.sameAccount(each, account)),
    { expected: account, got: accountNumber.join(', '), from },
  );
}

interface UserRequestBody {
  assetInfo?: Record<string, unknown>;
  payload?: { ivms101?: unknown };
}

type RequestWord = 'amount' | 'trade' | 'ivms101';

function judgeRequest(ctx: ModuleContext<RequestWord>, exchange: LoggedExchange): void {
  const from = [exchange];
  const { assetInfo = {}, payload } = (json(exchange.request) ?? {}) as UserRequestBody;
  const { amount } = assetInfo;
  ctx.check('amount', typeof amount === 'string' && isDecimal(amount), {
    expected: 'decimal text',
    got: JSON.stringify(amount) ?? 'nothing',
    from,
  });
  const missing = [
    ...(typeof assetInfo.isExceedingThreshold === 'boolean' ? [] : ['isExceedingThreshold']),
    ...(isDecimal(String(assetInfo.tradePrice ?? '')) ? [] : ['tradePrice']),
    ...(/^[A-Za-z]{3,5}$/.test(String(assetInfo.tradeCurrency ?? '')) ? [] : ['tradeCurrency']),
    ...(parseTimestamp(String(assetInfo.tradeISODatetime)) === undefined ? ['tradeISODatetime'] : []),
  ];
  ctx.check('trade', missing.length === 0, {
    expected: 'all four',
    got: missing.length === 0 ? 'all four' : `not, or not in shape: ${missing.join(', ')}`,
    from,
  });
  judgeIvms101(ctx, checkPayload(payload?.ivms101, ctx.world.now()).problems, from);
}
