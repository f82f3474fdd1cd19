import { ASSET_SYMBOLS, splitAddress } from '../../contract/assets.ts';
import { accountOf, type Customer } from '../../contract/customers.ts';
import type { Person } from '../../contract/ivms101.ts';
import { type CompanyNames, type CustomerNames, foldText, legal, natural, personsOf } from '../../contract/persons.ts';
import type { ModuleContext } from '../context.ts';
import { customerPersons, type DepositRequest } from './deposit-requests.ts';
import {
  type IdentityQuestion,
  lettersOf,
  lookAlike,
  MISMATCHED,
  NEAR_NAMES,
  NOT_VERIFIED,
  ONE_NAME,
} from './near-miss-names.ts';

/** Questions about one customer whose right answers differ by a single thing. */

export const VERIFIED = ['VERIFIED / OK'];
export const UNKNOWN = ['DENIED / UNKNOWN-ADDRESS', 'UNKNOWN / UNKNOWN-ADDRESS'];

export type Questions = Readonly<Record<string, IdentityQuestion>>;

const OTHER = { lastName: 'Nonesuch', firstName: 'Quentin', legalName: 'Nonesuch Holdings' } as const;

const person = (ctx: ModuleContext) => {
  const customer = ctx.customer();
  return { customer, names: customer.names as CustomerNames };
};
const named = (ctx: ModuleContext, change: (names: CustomerNames) => Person) => {
  const { customer, names } = person(ctx);
  return { customer, persons: [change(names)] };
};
/** The right persons, with another one before them. */
const behind = (ctx: ModuleContext, other: Person) => {
  const customer = ctx.customer();
  return { customer, persons: [other, ...customerPersons(customer)] };
};

const byName = ({ lastName, firstName }: CustomerNames, nameIdentifierType = 'LEGL') => ({
  primaryIdentifier: lastName,
  ...(firstName === undefined ? {} : { secondaryIdentifier: firstName }),
  nameIdentifierType,
});
const personOf = (name: object): Person => ({ naturalPerson: { name } }) as Person;

const upper = ({ lastName, firstName }: CustomerNames): CustomerNames => ({
  lastName: lastName.toUpperCase(),
  firstName: firstName?.toUpperCase(),
});

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** About a customer whose name is not ASCII. */
function foreign(
  ctx: ModuleContext,
  personsFor: (customer: Customer, names: CustomerNames) => Person[] | string,
): ReturnType<IdentityQuestion['ask']> {
  const customer = ctx.world.customers?.customers.find(
    each =>
      each.kind === 'natural' && each.kyc && accountOf(each, ctx.symbol) !== undefined && !isAscii(each.names.lastName),
  );
  if (!customer) return 'Add a customer whose name is not ASCII (for example in Hangul) to the customers file.';
  const persons = personsFor(customer, customer.names as CustomerNames);
  return typeof persons === 'string' ? persons : { customer, persons };
}

export const NAME_QUESTIONS: Questions = {
  stranger: {
    about: 'another last and first name',
    ask: ctx => named(ctx, () => natural(OTHER.lastName, OTHER.firstName)),
  },
  last: {
    about: 'another last name with the right first name',
    ask: ctx => named(ctx, ({ firstName }) => natural(OTHER.lastName, firstName)),
  },
  first: {
    about: 'another first name with the right last name',
    ask: ctx =>
      person(ctx).names.firstName === undefined
        ? ONE_NAME
        : named(ctx, ({ lastName }) => natural(lastName, OTHER.firstName)),
  },
  'other-customer': {
    about: 'the name of another customer',
    ask(ctx) {
      const { customer } = person(ctx);
      const other = ctx.world.customers?.customers.find(
        each => each.kind === 'natural' && each.names.lastName !== (customer.names as CustomerNames).lastName,
      );
      return other
        ? { customer, persons: customerPersons(other) }
        : 'Add a second natural person with another name to the customers file.';
    },
  },
  ...NEAR_NAMES,
  blank: {
    about: 'a name without a letter',
    accepted: [NOT_VERIFIED],
    isRaw: true,
    ask: ctx => named(ctx, () => personOf({ nameIdentifier: [{ primaryIdentifier: '', nameIdentifierType: 'LEGL' }] })),
  },
  nameless: {
    about: 'a person without any name',
    accepted: [NOT_VERIFIED],
    only: 'user',
    isRaw: true,
    ask: ctx => named(ctx, () => personOf({ nameIdentifier: [] })),
  },
  'two-persons': {
    about: 'the customer and a stranger',
    accepted: [NOT_VERIFIED],
    severity: 'WARNING',
    ask: ctx => behind(ctx, natural(OTHER.lastName, OTHER.firstName)),
  },
  'company-of-customer': {
    clause: 'REF-4.6.7',
    about: 'a company that the customer represents',
    accepted: [NOT_VERIFIED],
    ask: ctx => behind(ctx, legal(OTHER.legalName)),
  },
  nobody: {
    about: 'no beneficiary person',
    accepted: [NOT_VERIFIED],
    only: 'user',
    isRaw: true,
    ask: ctx => ({ customer: ctx.customer(), persons: [] }),
  },
  'other-script': {
    about: 'another name in the script of a name that is not ASCII',
    ask: ctx => foreign(ctx, (_, { lastName }) => [natural(lastName === '김' ? '박' : '김', '철수')]),
  },
  'address-only': {
    clause: 'WIRE-2.3',
    about: 'the account without a person',
    accepted: VERIFIED,
    only: 'account',
    ask: ctx => ({ customer: ctx.customer(), persons: [] }),
  },
  case: {
    clause: 'D-09',
    about: 'the name in upper case',
    accepted: VERIFIED,
    ask: ctx => named(ctx, names => personOf({ nameIdentifier: [byName(upper(names))] })),
  },
  second: {
    clause: 'D-09',
    about: 'an alias as the first `nameIdentifier`, the name as the second',
    accepted: VERIFIED,
    ask: ctx => named(ctx, names => personOf({ nameIdentifier: [byName(OTHER, 'ALIA'), byName(names)] })),
  },
  local: {
    clause: 'WIRE-5',
    about: 'a name that is not ASCII, with the same name in `localNameIdentifier`',
    accepted: VERIFIED,
    ask: ctx =>
      foreign(ctx, (_, names) => [personOf({ nameIdentifier: [byName(names)], localNameIdentifier: [byName(names)] })]),
  },
  'local-only': {
    clause: 'D-09',
    about: 'a name that is not ASCII, in `localNameIdentifier` only',
    accepted: VERIFIED,
    ask: ctx =>
      foreign(ctx, (_, names) => [personOf({ nameIdentifier: [byName(OTHER)], localNameIdentifier: [byName(names)] })]),
  },
  decomposed: {
    clause: 'D-09',
    about: 'a name that is not ASCII, in decomposed Unicode (NFD)',
    accepted: VERIFIED,
    ask: ctx =>
      foreign(ctx, customer => {
        const text = JSON.stringify(customerPersons(customer));
        const decomposed = text.normalize('NFD');
        return decomposed === text ? 'The name is the same in each form.' : JSON.parse(decomposed);
      }),
  },
  phonetic: {
    clause: 'WIRE-4',
    about: 'the name, with its sound in `phoneticNameIdentifier`',
    accepted: VERIFIED,
    ask: ctx =>
      named(ctx, names => personOf({ nameIdentifier: [byName(names)], phoneticNameIdentifier: [byName(names)] })),
  },
};

/** About a legal person: what is asked instead of the company and its representatives. */
function companyWith(
  ctx: ModuleContext,
  personsFor: (company: Person, representatives: Person[], names: CompanyNames) => Person[] | string,
): ReturnType<IdentityQuestion['ask']> {
  const customer = ctx.customer({ kind: 'legal' });
  const [company, ...representatives] = customerPersons(customer);
  const persons = personsFor(company!, representatives, customer.names as CompanyNames);
  return typeof persons === 'string' ? persons : { customer, persons };
}

export const COMPANY_QUESTIONS: Questions = {
  company: {
    about: 'another company with the right representative',
    ask: ctx => companyWith(ctx, (_, representatives) => [legal(OTHER.legalName), ...representatives]),
  },
  representative: {
    about: 'the right company with another representative',
    ask: ctx => companyWith(ctx, company => [company, natural(OTHER.lastName, OTHER.firstName)]),
  },
  'representative-only': {
    about: 'the representative without the company',
    accepted: [NOT_VERIFIED],
    ask: ctx => companyWith(ctx, (_, representatives) => representatives),
  },
  'no-representative': {
    about: 'the right company without a representative',
    accepted: [...MISMATCHED, 'DENIED / LACK-OF-INFORMATION'],
    only: 'user',
    ask: ctx => companyWith(ctx, company => [company]),
  },
  'company-prefix': {
    about: 'only the beginning of the name of the company',
    ask: ctx =>
      companyWith(ctx, (_, representatives, { legalName }) => {
        const letters = lettersOf(legalName);
        return [legal(letters.slice(0, Math.ceil(letters.length / 3)).join('')), ...representatives];
      }),
  },
  'company-longer': {
    about: 'the name of the company with another one behind it',
    ask: ctx =>
      companyWith(ctx, (_, representatives, { legalName }) => [
        legal(`${legalName} ${OTHER.legalName}`),
        ...representatives,
      ]),
  },
  'representative-first': {
    about: 'a representative with the right last and another first name',
    ask: ctx =>
      companyWith(ctx, (company, _, { representatives: [first] }) => [
        company,
        natural(first!.lastName, OTHER.firstName),
      ]),
  },
  case: {
    clause: 'D-09',
    about: 'the names in upper case',
    accepted: VERIFIED,
    ask: ctx =>
      companyWith(ctx, (_company, _representatives, names) => {
        const legalName = names.legalName.toUpperCase();
        if (foldText(legalName) !== foldText(names.legalName))
          return 'Add a legal person whose name stays the same in upper case.';
        const representatives = names.representatives.slice(0, 1).map(upper);
        return personsOf({ kind: 'legal', names: { legalName, representatives } });
      }),
  },
  'local-only': {
    clause: 'D-09',
    about: 'the name of the company in `localNameIdentifier` only',
    accepted: VERIFIED,
    ask: ctx =>
      companyWith(ctx, (company, representatives) => {
        const { legalPerson: other } = legal(OTHER.legalName);
        const { nameIdentifier } = company.legalPerson!.name!;
        const name = { ...other!.name, localNameIdentifier: nameIdentifier };
        return [{ legalPerson: { ...other, name } } as Person, ...representatives];
      }),
  },
  'second-representative': {
    about: 'the company with the second of its representatives',
    accepted: VERIFIED,
    ask: ctx =>
      companyWith(ctx, (company, _, { representatives: [, second] }) =>
        second
          ? [company, natural(second.lastName, second.firstName)]
          : 'Add a second representative to the legal person of the customers file.',
      ),
  },
};

export const isAccepted = (accepted: readonly string[], got: string): boolean =>
  accepted.includes(got) || (accepted.includes(NOT_VERIFIED) && /^(DENIED|UNKNOWN|ERROR|4\d\d)/.test(got));

/** Questions about the account and the network of a customer. */

export const ACCOUNT_QUESTIONS: Questions = {
  'two-accounts': {
    clause: 'WIRE-3.2',
    about: "the customer's account and one of nobody",
    accepted: [NOT_VERIFIED],
    ask: ctx => ownAccount(ctx, account => ({ accounts: [account, ctx.nobody()] })),
  },
  'two-accounts-last': {
    clause: 'WIRE-3.2',
    about: "one account of nobody, then the customer's",
    accepted: [NOT_VERIFIED],
    ask: ctx => ownAccount(ctx, account => ({ accounts: [ctx.nobody(), account] })),
  },
  'look-alike': {
    about: 'an account that looks like that of the customer',
    accepted: UNKNOWN,
    ask(ctx) {
      const customer = ctx.customer();
      const account = ctx.accountOf(customer);
      const to = lookAlike(ctx.symbol, account);
      return ctx.symbol === 'ETH' ? { customer, to } : otherTag(ctx, () => to.slice(to.indexOf(':')));
    },
  },
  'other-symbol': {
    clause: 'WIRE-3.1',
    about: "the customer's account on the ledger of another symbol",
    accepted: UNKNOWN,
    ask(ctx) {
      const customer = ctx.customer();
      const symbol = ASSET_SYMBOLS.find(each => each !== ctx.symbol && accountOf(customer, each) !== undefined);
      return symbol
        ? { customer, to: accountOf(customer, symbol)! }
        : 'Add an account for another symbol to the customer.';
    },
  },
  injection: {
    about: 'a condition of SQL as the account',
    accepted: [NOT_VERIFIED],
    ask: ctx => ({ customer: ctx.customer(), to: "' OR '1'='1" }),
  },
  network: {
    clause: 'D-07',
    about: 'a network that the symbol does not have',
    accepted: ['DENIED / UNKNOWN-NETWORK', 'DENIED / UNKNOWN-SYMBOL'],
    ask: ctx => ({ customer: ctx.customer(), network: 'Solana' }),
  },
  'no-network': {
    clause: 'WIRE-6.3',
    about: 'a request without a network',
    accepted: [...VERIFIED, 'DENIED / UNKNOWN-NETWORK'],
    ask: ctx => ({ customer: ctx.customer(), network: null }),
  },
  'lower-case': {
    clause: 'WIRE-6.1',
    about: 'the account in lower case: none on the XRP Ledger; on Ethereum the same or none',
    accepted: [],
    ask: ctx => ownAccount(ctx, account => ({ to: account.toLowerCase() })),
  },
  'tag-zero': {
    clause: 'WIRE-6.1',
    about: 'the account with the destination tag 0',
    accepted: UNKNOWN,
    ask: ctx => otherTag(ctx, () => ':0'),
  },
  'no-tag': {
    clause: 'WIRE-6.1',
    about: 'the account without its destination tag',
    accepted: UNKNOWN,
    ask: ctx => otherTag(ctx, () => ''),
  },
  'tag-overflow': {
    clause: 'D-08',
    about: 'the account with 4294967296 added to its destination tag',
    accepted: [NOT_VERIFIED],
    ask: ctx => otherTag(ctx, tag => `:${Number(tag) + 2 ** 32}`),
  },
  'tag-zeros': {
    clause: 'D-08',
    about: 'the account with a zero before its destination tag',
    accepted: [NOT_VERIFIED],
    severity: 'WARNING',
    ask: ctx => otherTag(ctx, tag => `:0${tag}`),
  },
};

function ownAccount(ctx: ModuleContext, change: (account: string) => Omit<DepositRequest, 'customer'>): DepositRequest {
  const customer = ctx.customer();
  return { customer, ...change(ctx.accountOf(customer)) };
}

function otherTag(ctx: ModuleContext, change: (tag: string) => string): DepositRequest | string {
  if (ctx.symbol !== 'XRP') return 'Only the XRP Ledger has destination tags.';
  const customer = ctx.customer();
  const account = ctx.accountOf(customer);
  const [address, tag] = splitAddress(account);
  const to = `${address}${change(tag ?? '')}`;
  const isOwned = ctx.world.customers?.customers.some(each => accountOf(each, 'XRP') === to);
  if (tag === undefined || isOwned) return `${to} is the account of a customer.`;
  return { customer, to };
}

/** What the answers may be: it differs by ledger where the accounts do. */
export function acceptedOf({ symbol }: ModuleContext, word: string, question: IdentityQuestion): readonly string[] {
  if (word !== 'lower-case') return question.accepted ?? MISMATCHED;
  return symbol === 'ETH' ? [...VERIFIED, ...UNKNOWN] : UNKNOWN;
}
