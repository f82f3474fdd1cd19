import { ASSET_SYMBOLS, ASSETS, isAssetSymbol, isNetworkOf } from '../../contract/assets.ts';
import { unknownVerdict, VERIFIED, type Verdict, verdict } from '../../contract/clauses.ts';
import {
  identifiersOf,
  NAME_LISTS,
  type NaturalPersonName,
  type NaturalPersonNameIdentifier,
  type Person,
  type Persons,
} from '../../contract/ivms101.ts';
import { checkPersons } from '../../contract/ivms101-check/check.ts';
import { DIALECT_NAMES } from '../../contract/ivms101-check/dialects.ts';
import { foldText, isNamed, nameDifference, type PersonNames } from '../../contract/persons.ts';
import { RULE_CLAUSES, type RuleName, type RuleOutcome } from '../../contract/plan-list.ts';
import { DELIVERABLE, lackingInfo, unavailableInfo, wrongBirthDate } from '../../contract/required-info.ts';
import { type NearMiss, visibleNearMiss } from '../../contract/text.ts';
import type { Behaviour, LegalUser, User } from '../users/user.ts';
import type { ListedOriginator, Subject, UserSubject } from './subject.ts';

export interface Judgement {
  readonly verdict: Verdict;
  /** The user of the first account number. Absent: it belongs to no user. */
  readonly user?: User | undefined;
  /** The change that leads to VERIFIED. May hold a person's name. Absent: no change does. */
  readonly nearMiss?: NearMiss;
  /** Every rule that was tried, in order. Holds no personal data. */
  readonly steps: readonly RuleOutcome[];
}

/** D-06: tries the rules in order. The first rule with a finding decides. Without a finding it is VERIFIED. */
export function judge(subject: Subject): Judgement {
  const { user } = subject;
  const steps: RuleOutcome[] = [];
  const finding =
    tryRules(RULES, subject, steps) ?? (subject.kind === 'user' ? tryRules(USER_RULES, subject, steps) : undefined);
  if (!finding) return { verdict: VERIFIED, user, steps };
  return { verdict: finding.verdict, nearMiss: visibleNearMiss(finding.nearMiss), user, steps };
}

/** Adds every rule that it tries to `steps`. */
function tryRules<S>(rules: readonly Rule<S>[], subject: S, steps: RuleOutcome[]): Finding | undefined {
  for (const rule of rules) {
    const finding = rule.judge(subject);
    const { verdict: _, nearMiss: __, ...details } = finding ?? {};
    steps.push({
      rule: rule.name,
      clause: RULE_CLAUSES[rule.name],
      outcome: finding ? 'decided' : 'passed',
      ...details,
    });
    if (finding) return finding;
  }
  return undefined;
}

const NOTHING = 'nothing';

/** The change by which `persons` name the user: one member where one is enough, else the whole name. */
function nameNearMiss(user: User, persons: Persons): NearMiss {
  const [first] = persons;
  if (!first) return { field: BENEFICIARY, expected: describe(user), got: 'no person' };
  if (user.kind === 'natural')
    return first.legalPerson
      ? { field: `${BENEFICIARY}[0]`, expected: 'naturalPerson', got: 'legalPerson' }
      : personNearMiss(user.names, first.naturalPerson?.name, `${BENEFICIARY}[0].naturalPerson.name`);
  return companyNearMiss(user, first, persons.slice(1));
}

function companyNearMiss({ names }: LegalUser, first: Person, others: Persons): NearMiss {
  if (!first.legalPerson) return { field: `${BENEFICIARY}[0]`, expected: 'legalPerson', got: 'naturalPerson' };
  const legalNames = NAME_LISTS.flatMap(list =>
    (first.legalPerson?.name?.[list] ?? []).map((identifier, i) => ({
      field: `${BENEFICIARY}[0].legalPerson.name.${list}[${i}].legalPersonName`,
      got: identifier.legalPersonName ?? NOTHING,
    })),
  );
  if (!legalNames.some(({ got }) => foldText(got) === foldText(names.legalName))) {
    const [nearest] = legalNames;
    const field = `${BENEFICIARY}[0].legalPerson.name.nameIdentifier[0].legalPersonName`;
    return { field, got: NOTHING, ...nearest, expected: names.legalName };
  }
  const expected = names.representatives.map(fullName).join(' or ');
  if (others.length === 0) return { field: `${BENEFICIARY}[1]`, expected, got: 'no representative' };
  const [representative] = others;
  const closest = names.representatives
    .map(person => personNearMiss(person, representative?.naturalPerson?.name, `${BENEFICIARY}[1].naturalPerson.name`))
    .find(({ field }) => field.endsWith('Identifier') && !field.endsWith('nameIdentifier'));
  return closest ?? { field: `${BENEFICIARY}[1]`, expected, got: nameOf(representative?.naturalPerson?.name) };
}

/** One member of one identifier where changing it is enough, else the whole identifier. */
function personNearMiss(names: PersonNames, name: NaturalPersonName | null | undefined, field: string): NearMiss {
  const identifiers = NAME_LISTS.flatMap(list =>
    (name?.[list] ?? []).map((identifier, i) => ({ identifier, at: `${field}.${list}[${i}]` })),
  );
  const [oneMember] = identifiers.flatMap(({ identifier, at }) => differingMember(names, identifier, at) ?? []);
  if (oneMember) return oneMember;
  const [first] = identifiers;
  const expected = `primaryIdentifier ${names.lastName}, secondaryIdentifier ${names.firstName}`;
  return { field: first?.at ?? `${field}.nameIdentifier[0]`, expected, got: nameOf(name) };
}

/** Undefined: both members differ, or none. */
function differingMember(
  { lastName, firstName }: PersonNames,
  { primaryIdentifier, secondaryIdentifier }: NaturalPersonNameIdentifier,
  at: string,
): NearMiss | undefined {
  const isLast = foldText(primaryIdentifier) === foldText(lastName);
  const isFirst = foldText(secondaryIdentifier) === foldText(firstName);
  if (isLast === isFirst) return undefined;
  return isLast
    ? { field: `${at}.secondaryIdentifier`, expected: firstName, got: secondaryIdentifier || NOTHING }
    : { field: `${at}.primaryIdentifier`, expected: lastName, got: primaryIdentifier || NOTHING };
}

function nameOf(name: NaturalPersonName | null | undefined): string {
  const [first] = identifiersOf(name);
  if (!first) return NOTHING;
  const { primaryIdentifier, secondaryIdentifier } = first;
  return `primaryIdentifier ${primaryIdentifier || NOTHING}, secondaryIdentifier ${secondaryIdentifier || NOTHING}`;
}

const fullName = ({ firstName, lastName }: PersonNames): string => `${firstName} ${lastName}`;
const describe = (user: User): string =>
  user.kind === 'natural'
    ? fullName(user.names)
    : `${user.names.legalName}, then ${user.names.representatives.map(fullName).join(' or ')}`;

const OF_NAME = [
  'naturalPerson',
  'legalPerson',
  'name',
  'nameIdentifier',
  'localNameIdentifier',
  'phoneticNameIdentifier',
  'primaryIdentifier',
  'secondaryIdentifier',
  'legalPersonName',
];
const OF_BIRTH = ['dateAndPlaceOfBirth', 'dateOfBirth', 'placeOfBirth'];

/** The first member that another dialect names, among those of a name, or of name and birth. `root`: path of the list. */
function dialectNearMiss(persons: Persons, root: string, of: 'name' | 'birth'): NearMiss | undefined {
  const members = of === 'name' ? OF_NAME : [...OF_NAME, ...OF_BIRTH];
  const { foreign } = checkPersons(persons, root, { isOriginator: false, today: 0 });
  const found = foreign.find(({ wanted }) => members.includes(wanted));
  if (!found) return undefined;
  const { path, wanted, dialect } = found;
  return {
    field: path,
    expected: wanted,
    got: `${path.slice(path.lastIndexOf('.') + 1)}, written ${DIALECT_NAMES[dialect]}`,
  };
}

/** Why a rule decided, for the timeline. `field` and `detail` hold member names and plain words, no personal data. */
interface Finding {
  readonly verdict: Verdict;
  readonly field?: string;
  readonly detail?: string;
  /** May hold the name from the request, and the user's. */
  readonly nearMiss: NearMiss;
}

const ORIGINATOR = 'ivms101.originator.originatorPersons';
const BENEFICIARY = 'ivms101.beneficiary.beneficiaryPersons';

interface Rule<S = Subject> {
  readonly name: RuleName;
  /** Undefined: the subject passes. */
  judge(subject: S): Finding | undefined;
}

/** D-06: for every verification. Rules are tried in this order, and the first finding decides. */
export const RULES: readonly Rule[] = [
  {
    name: 'symbol',
    judge: ({ symbol }) =>
      isAssetSymbol(symbol)
        ? undefined
        : {
            verdict: verdict('UNKNOWN-SYMBOL', symbol),
            field: 'symbol',
            detail: `supported: ${ASSET_SYMBOLS.join(', ')}`,
            nearMiss: { field: 'symbol', expected: ASSET_SYMBOLS.join(' or '), got: symbol },
          },
  },
  { name: 'network', judge: judgeNetwork },
  { name: 'address', judge: judgeAddress },
  { name: 'name', judge: judgeName },
  {
    name: 'kyc',
    judge: subject => {
      const { kyc, id } = ownerOf(subject);
      if (kyc) return undefined;
      const nearMiss = { field: 'user', expected: 'a user that has passed KYC', got: `${id}, who has not` };
      return { verdict: verdict('UNVERIFIED-KYC'), nearMiss };
    },
  },
];

/** D-06: the rest, only for user verifications. */
export const USER_RULES: readonly Rule<UserSubject>[] = [
  {
    name: 'required-info',
    judge: subject => {
      const { kind } = ownerOf(subject);
      const codes = unavailableInfo(kind, subject.requiredInfo);
      if (codes.length === 0) return undefined;
      return {
        verdict: verdict('UNAVAILABLE-INFORMATION', codes.join(',')),
        field: 'requiredBeneficiaryInfo',
        detail: `not delivered for a ${kind} person`,
        nearMiss: {
          field: 'requiredBeneficiaryInfo',
          expected: `only ${DELIVERABLE[kind].join(', ')}`,
          got: `also ${codes.join(', ')}`,
        },
      };
    },
  },
  {
    name: 'originator-info',
    judge: ({ originatorPersons, now }) => {
      const codes = lackingInfo(originatorPersons, now);
      return codes.length === 0
        ? undefined
        : {
            verdict: verdict('LACK-OF-INFORMATION', codes.join(',')),
            field: 'originatorPersons',
            nearMiss: dialectNearMiss(originatorPersons, ORIGINATOR, 'birth') ??
              wrongBirthDate(originatorPersons, codes, now) ?? {
                field: ORIGINATOR,
                expected: codes.join(', '),
                got: 'missing',
              },
          };
    },
  },
  {
    name: 'listed-originator',
    judge: ({ listed, originatorPersons }) => {
      const index = listedPerson(listed, originatorPersons);
      return index < 0
        ? undefined
        : {
            verdict: verdict('BLACKLISTED'),
            field: `originatorPersons.${index}`,
            detail: 'is listed',
            nearMiss: {
              field: `${ORIGINATOR}[${index}]`,
              expected: 'an originator that is not listed',
              got: nameOf(originatorPersons[index]?.naturalPerson?.name),
            },
          };
    },
  },
  { name: 'behaviour', judge: judgeBehaviour },
];

function judgeNetwork({ symbol, network }: Subject): Finding | undefined {
  if (network === undefined || !isAssetSymbol(symbol) || isNetworkOf(symbol, network)) return undefined;
  const { networks } = ASSETS[symbol];
  return {
    verdict: verdict('UNKNOWN-NETWORK', network),
    field: 'network',
    detail: `networks of ${symbol}: ${networks.join(', ')}`,
    nearMiss: { field: 'network', expected: networks.join(' or '), got: network },
  };
}

const ANY_ADDRESS = 'an address of one user of the robot';

/** The first account number decides that belongs to no user, or to another user than the first one. */
function judgeAddress({ accounts, user }: Subject): Finding | undefined {
  const index = accounts.findIndex(({ found }) => found.user === undefined || found.user !== user);
  const account = accounts[index];
  if (!account) return undefined;
  const { text, found } = account;
  return {
    verdict: verdict('UNKNOWN-ADDRESS', text),
    field: `beneficiary.accountNumber.${index}`,
    detail: found.user ? 'belongs to another user than the first account number' : found.why,
    nearMiss: {
      field: `ivms101.beneficiary.accountNumber[${index}]`,
      expected: (found.user ? undefined : found.nearest) ?? ANY_ADDRESS,
      got: text,
    },
  };
}

/** WIRE-2.3: an account verification without persons checks only the address. */
function judgeName(subject: Subject): Finding | undefined {
  if (subject.kind === 'account' && subject.beneficiaryPersons.length === 0) return undefined;
  const detail = nameDifference(ownerOf(subject), subject.beneficiaryPersons);
  return detail === undefined
    ? undefined
    : {
        verdict: verdict('MISMATCHED-NAME'),
        field: 'beneficiaryPersons',
        detail,
        nearMiss:
          dialectNearMiss(subject.beneficiaryPersons, BENEFICIARY, 'name') ??
          nameNearMiss(ownerOf(subject), subject.beneficiaryPersons),
      };
}

/** D-11: the index of the first listed person, representatives included. -1: none is listed. */
const listedPerson = (listed: readonly ListedOriginator[], persons: Persons): number =>
  persons.findIndex(({ naturalPerson }) =>
    listed.some(row => {
      const birth = foldText(naturalPerson?.dateAndPlaceOfBirth?.dateOfBirth);
      return (
        isNamed(row, naturalPerson?.name) &&
        (birth === '' || row.dateOfBirth === undefined || birth === row.dateOfBirth)
      );
    }),
  );

function judgeBehaviour(subject: UserSubject): Finding | undefined {
  const { behaviour, id } = ownerOf(subject);
  const verdict = verdictOf(behaviour, subject);
  const nearMiss = { field: 'user', expected: 'a user without this behaviour', got: `${id}: ${behaviour}` };
  return verdict && { verdict, detail: `behaviour ${behaviour}`, nearMiss };
}

function verdictOf(behaviour: Behaviour, { symbol, network = '', accounts }: UserSubject): Verdict | undefined {
  const account = accounts[0]?.text ?? '';
  switch (behaviour) {
    case 'BLACKLISTED':
    case 'MISMATCHED-NAME':
    case 'UNVERIFIED-KYC':
      return verdict(behaviour);
    case 'UNKNOWN-SYMBOL':
      return verdict(behaviour, symbol);
    case 'UNKNOWN-NETWORK':
      return verdict(behaviour, network);
    case 'UNKNOWN-ADDRESS':
      return verdict(behaviour, account);
    case 'NOT-ALLOWED':
      return verdict(behaviour, 'This user accepts no transfers.');
    case 'UNDEFINED-ERROR':
      return verdict(behaviour, 'Simulated failure of the robot.');
    case 'UNKNOWN':
      return unknownVerdict(account);
    default:
      return undefined;
  }
}

/** The user, for the rules after the address rule. */
function ownerOf({ user }: Subject): User {
  if (!user) throw new Error('the address rule must come before the rules about the user');
  return user;
}
